import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { quoted } from '../../../core/lib/quoted.ts';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { git } from '../../../run/state/origin/git.ts';
import type { Environment } from '../shell/io.ts';

export const configFileName = 'rampart.config.yaml';
export const configRefVariable = 'RAMPART_CONFIG_REF';

/** The text of rampart.config.yaml, and whether it was reviewed. */
export interface ConfigSource {
  /** Null if there is none. */
  readonly bytes: Uint8Array | null;
  /** It was read from the commit that the operator named, so it does not include a change under review. */
  readonly isReviewed: boolean;
}

const mostBytes = 1024 * 1024;

/** From the commit that RAMPART_CONFIG_REF names, or else from the folder itself. */
export async function readConfigSource(folder: string, env: Environment): Promise<Result<ConfigSource>> {
  const revision = env[configRefVariable] ?? '';
  if (revision === '') return fromFolder(folder);
  const options = { cwd: folder, env };
  const named = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`];
  const commit = (await git(named, options))?.toString('latin1').trim();
  if (commit === undefined) {
    return failed(
      problem(
        'configuration',
        `${configFileName} can't be read from ${quoted(revision)} (${configRefVariable}): this clone does not have that commit`,
        { hint: 'fetch the commit first; with actions/checkout, set fetch-depth: 0' },
      ),
    );
  }
  const bytes = await git(['cat-file', 'blob', `${commit}:./${configFileName}`], options);
  return ok({ bytes: bytes ?? null, isReviewed: true });
}

/** Only a regular file is opened: opening a pipe would wait. */
async function fromFolder(folder: string): Promise<Result<ConfigSource>> {
  const path = join(folder, configFileName);
  const seen = await stat(path).catch(() => undefined);
  if (seen === undefined) return ok({ bytes: null, isReviewed: false });
  const unreadable = failed(
    problem('configuration', `${configFileName} can't be read`, {
      hint: `it must be a regular file of at most ${mostBytes} bytes`,
    }),
  );
  if (!seen.isFile() || seen.size > mostBytes) return unreadable;
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(() => undefined);
  if (file === undefined) return unreadable;
  try {
    return ok({ bytes: await file.readFile(), isReviewed: false });
  } catch {
    return unreadable;
  } finally {
    await file.close();
  }
}
