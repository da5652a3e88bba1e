import { chmod, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Environment } from '../../core/lib/surroundings.ts';
import { type Problem, type Result, warning } from '../../core/problem/problem.ts';
import { makeFolder } from '../../run/state/files/replace-file.ts';
import { userFolder } from '../../run/state/origin/user-folder.ts';
import { writeWhole } from '../shell/context.ts';

/** A key, by its location, and an origin to which the user lets it be sent. */
export interface Pin {
  readonly origin: string;
  /** `variable BERLIN_PSK`, `file /run/secrets/berlin`. */
  readonly key: string;
}

const head =
  '# Allowed destinations of keys, as approved in a terminal: an origin, then the key. Written by rampart.\n';

/** The file of the user's answers, outside of every project; null if the user has no folder for it. */
export function pinsPath(env: Environment): string | null {
  const folder = userFolder(env);
  return folder === undefined ? null : join(folder, 'allowed-origins');
}

/** None if there is no file yet. A file that others can write is not trusted, and not used. */
export async function readPins(path: string): Promise<{
  readonly pins: readonly Pin[];
  readonly problems: readonly Problem[];
}> {
  try {
    const { mode, uid } = await stat(path);
    const own = process.getuid?.();
    if (own !== undefined && (uid !== own || (mode & 0o022) !== 0)) {
      const message = `${path} is not used: another user owns it or can write it`;
      return { pins: [], problems: [warning('configuration', message, { hint: `run: chmod 600 ${path}` })] };
    }
    return { pins: (await readFile(path, 'utf8')).split('\n').flatMap(toPin), problems: [] };
  } catch {
    return { pins: [], problems: [] };
  }
}

export async function addPin(path: string, pin: Pin): Promise<Result<null>> {
  const { pins } = await readPins(path);
  const lines = [...pins, pin].map(({ origin, key }) => `${origin} ${key}\n`);
  try {
    makeFolder(dirname(path), 0o700);
  } catch {
    // Writing then fails too, and reports it.
  }
  const written = await writeWhole(path, path, head + lines.join(''));
  if (written.ok) await chmod(path, 0o600);
  return written;
}

function toPin(line: string): readonly Pin[] {
  const [, origin, key] = /^(https?:\/\/\S+) (\S.*)$/.exec(line) ?? [];
  return origin === undefined || key === undefined ? [] : [{ origin, key }];
}
