import { spawnSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { delimiter, join, sep } from 'node:path';

/** The oldest Node that runs the provider. */
export const oldestNode = 24;

/**
 * The version of the Node that Terraform finds on the PATH, such as `v20.20.2`; null if there is none. npm puts the
 * folder of a package's programs on the PATH of its scripts, where Terraform does not look.
 */
export function nodeOnPath(path: string): string | null {
  const folders = path.split(delimiter).filter((folder) => folder !== '' && !isOfNpm(folder));
  const program = folders.map((folder) => join(folder, 'node')).find(isExecutable);
  if (program === undefined) return null;
  const { stdout } = spawnSync(program, ['--version'], { encoding: 'utf8', timeout: 10_000 });
  return /^v\d+\.\d+\.\d+/.exec(stdout ?? '')?.[0] ?? null;
}

export function isNewEnough(version: string | null): boolean {
  return version !== null && Number(version.slice(1).split('.')[0]) >= oldestNode;
}

function isOfNpm(folder: string): boolean {
  return folder.endsWith(join('node_modules', '.bin')) || folder.split(sep).includes('node-gyp-bin');
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
