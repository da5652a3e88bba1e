import { randomUUID } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';

/** Milliseconds between two touches, and the number without one after which a lock counts as left behind. */
const usual = { beat: 500, silence: 10_000 };

/**
 * One install at a time. The holder keeps touching the lock file; an untouched one was left by a process that died.
 * Process ids would not work: containers that share a folder do not share them.
 */
export async function withInstallLock(file, say, work, pace = usual) {
  const token = randomUUID();
  mkdirSync(dirname(file), { recursive: true });
  await acquire(file, token, say, pace);
  const heart = setInterval(() => touch(file), pace.beat);
  try {
    await work();
  } finally {
    clearInterval(heart);
    if (holder(file) === token) rmSync(file, { force: true });
  }
}

async function acquire(file, token, say, pace) {
  let seen = null;
  let since = Date.now();
  let reported = false;
  while (!take(file, token)) {
    if (!reported) say('another set-up is running in this folder: waiting for it');
    reported = true;
    await new Promise((resolve) => setTimeout(resolve, pace.beat / 2));
    const now = pulse(file);
    if (now !== seen) {
      seen = now;
      since = Date.now();
    } else if (now !== null && Date.now() - since > pace.silence) {
      breakLock(file, now, token);
    }
  }
}

function take(file, token) {
  try {
    writeFileSync(file, token, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

/** Takes a dead lock away. If a live one came in between, it is put back. */
function breakLock(file, dead, token) {
  const moved = `${file}.${token}`;
  try {
    renameSync(file, moved);
    if (pulse(moved) !== dead) linkSync(moved, file);
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EEXIST') throw error;
  } finally {
    rmSync(moved, { force: true });
  }
}

/** Who holds the lock, and when it was last touched. */
function pulse(file) {
  try {
    return `${holder(file)} ${statSync(file).mtimeMs}`;
  } catch {
    return null;
  }
}

function holder(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

function touch(file) {
  try {
    const now = new Date();
    utimesSync(file, now, now);
  } catch {
    // Removed by hand: the work continues.
  }
}
