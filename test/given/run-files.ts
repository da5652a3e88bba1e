import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The paths of all runs in a state folder, the earliest first. */
export function runFilesIn(stateDir: string): readonly string[] {
  const root = join(stateDir, 'runs');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(root, name))
    .toSorted((a, b) => basename(a).localeCompare(basename(b)));
}
