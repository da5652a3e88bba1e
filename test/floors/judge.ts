import { posix } from 'node:path';
import type { Source } from './source.ts';

export interface Floor {
  /** No built-in module, no clock, no randomness, no process. */
  readonly pure?: true;
  /** Folders that it may import from, beside itself. */
  readonly folders: readonly string[];
  /** Packages that it may import from. */
  readonly packages: readonly string[];
  /** What single files may import or use nevertheless. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
}

const longest = 300;

/** What a file of `src/` does that its floor does not allow, in words. */
export function faultsOf(source: Source, floors: Readonly<Record<string, Floor>>): readonly string[] {
  return [...faultsOfName(source.path), ...faultsOfLength(source), ...faultsOfFloor(source, floors)].map(
    (fault) => `src/${source.path}: ${fault}`,
  );
}

export function faultsOfName(path: string): readonly string[] {
  const name = posix.basename(path);
  const faults: string[] = [];
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d|\.d)?\.ts$/.test(name))
    faults.push('its name is not kebab-case');
  if (/^(utils?|types?|helpers?|common|misc)\.ts$/.test(name)) faults.push('its name says nothing');
  return faults;
}

function faultsOfLength({ lines }: Source): readonly string[] {
  return lines > longest ? [`${lines} lines, more than ${longest}`] : [];
}

function faultsOfFloor(source: Source, floors: Readonly<Record<string, Floor>>): readonly string[] {
  const folder = folderOf(source.path);
  // The files beside the folders are the package's own faces: they choose what to show.
  if (folder === null) return source.imports.flatMap((from) => faultsOfEnding(from));
  const floor = floors[folder];
  if (floor === undefined) return [`the folder ${folder}/ has no floor`];
  const allowed = floor.exceptions?.[source.path] ?? [];
  return [
    ...source.imports
      .filter((from) => !allowed.includes(from))
      .flatMap((from) => [...faultsOfEnding(from), ...faultsOfImport(source.path, folder, from, floor)]),
    ...(floor.pure ? source.worldly.filter((use) => !allowed.includes(use)).map((use) => `uses ${use}`) : []),
  ];
}

function faultsOfEnding(from: string): readonly string[] {
  return from.startsWith('.') && !from.endsWith('.ts') ? [`imports ${from}, which does not end in .ts`] : [];
}

function faultsOfImport(path: string, folder: string, from: string, floor: Floor): readonly string[] {
  if (from.startsWith('.')) {
    const target = posix.join(posix.dirname(path), from);
    if (target.startsWith('..')) return [`imports ${from}, outside src/`];
    const there = folderOf(target);
    if (there === null) return [`imports ${from}, a face of the package`];
    return there === folder || floor.folders.includes(there) ? [] : [`imports ${from} of ${there}/`];
  }
  if (from.startsWith('node:')) return floor.pure ? [`imports ${from}`] : [];
  return floor.packages.includes(packageOf(from)) ? [] : [`imports the package ${packageOf(from)}`];
}

function folderOf(path: string): string | null {
  const [folder, rest] = path.split('/', 2);
  return rest === undefined ? null : (folder as string);
}

function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
