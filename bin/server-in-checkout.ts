import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { consoleDigest } from './console/source-digest.ts';
import { withInstallLock } from './install-lock.mjs';

/** Runs a command line with `server` in a checkout, after building its console if the sources have changed. */
const root = join(import.meta.dirname, '..');
const record = join(root, '.cache/console-sources');

if (!process.argv.some((each) => each === '--check' || each === '--help' || each === '-h'))
  await bringConsoleUpToDate();
await import('../src/cli/main.ts');

async function bringConsoleUpToDate(): Promise<void> {
  try {
    if (isUpToDate()) return;
    await withInstallLock(join(root, '.cache/console.lock'), say, () => {
      if (!isUpToDate()) build();
    });
  } catch (error) {
    say(`the console could not be built: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isUpToDate(): boolean {
  return (
    existsSync(join(root, 'dist/console/index.html')) &&
    existsSync(record) &&
    readFileSync(record, 'utf8') === consoleDigest()
  );
}

/** In a separate process, whose memory is freed when it ends. */
function build(): void {
  const digest = consoleDigest();
  const ended = spawnSync(process.execPath, [join(root, 'bin/build-console.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (ended.error !== undefined) throw ended.error;
  if (ended.status !== 0) throw new Error('npm run console shows why');
  writeFileSync(record, digest);
}

function say(text: string): void {
  process.stderr.write(`rampart set-up: ${text}\n`);
}
