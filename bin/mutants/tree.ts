import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const notCopied: ReadonlySet<string> = new Set([
  'node_modules',
  '.git',
  'dist',
  'coverage',
  '.cache',
  '.rampart',
]);

/** A copy of the checkout that mutants may be written into. */
export interface Tree {
  readonly path: string;
  write(file: string, text: string): void;
  remove(): void;
}

export function copyTree(root: string): Tree {
  const path = mkdtempSync(join(tmpdir(), 'rampart-mutants-'));
  for (const name of readdirSync(root)) {
    if (!notCopied.has(name))
      cpSync(join(root, name), join(path, name), { recursive: true, verbatimSymlinks: true });
  }
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'), 'dir');
  return {
    path,
    write: (file, text) => writeFileSync(join(path, file), text),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Files of TypeScript at or below these paths, in order. */
export function filesAt(root: string, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => {
    if (!statSync(join(root, path)).isDirectory()) return [path];
    return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(path, name))
      .toSorted();
  });
}

export const textOf = (root: string, file: string): string => readFileSync(join(root, file), 'utf8');
