import { posix } from 'node:path';
import { stronglyConnectedComponents } from '../../src/core/lib/strongly-connected-components.ts';
import type { Source } from './source.ts';

/** What a folder of `src/` may do. */
export interface Floor {
  /** No built-in module, no clock, no randomness, no process. */
  readonly pure?: true;
  /** Folders of rows before it that it imports from, besides itself. */
  readonly imports: readonly string[];
  /** Packages that it imports from. */
  readonly packages: readonly string[];
  /** What single files may import or use nevertheless, by their path below `src/`. */
  readonly exceptions?: Readonly<Record<string, readonly string[]>>;
}

/** One row of the house: a folder in its group, or a group that is one folder. */
export interface Row extends Floor {
  /** Below `src/`, such as `core/plan` or `input`. A star stands for each noun of the server. */
  readonly folder: string;
  /**
   * The subfolders, if they have an order. A file imports only from its own folder and from folders before it; files
   * next to them import from all of them.
   */
  readonly rooms?: readonly string[];
}

const longest = 300;

/** What a file of `src/` does that its floor does not allow, in words. */
export function faultsOf(source: Source, house: readonly Row[]): readonly string[] {
  return [...faultsOfName(source.path), ...faultsOfLength(source), ...faultsOfFloor(source, house)].map(
    (fault) => `src/${source.path}: ${fault}`,
  );
}

export function faultsOfName(path: string): readonly string[] {
  const name = posix.basename(path);
  const faults: string[] = [];
  if (!/^[a-z0-9]+(-[a-z0-9]+)*(\.test|\.test-d|\.d)?\.tsx?$/.test(name))
    faults.push('its name is not kebab-case');
  if (/^(utils?|types?|helpers?|common|misc)\.tsx?$/.test(name)) faults.push('its name says nothing');
  return faults;
}

/** The row whose folder contains a file, the innermost of several; null for the files next to the groups. */
function rowOf(path: string, house: readonly Row[]): Row | null {
  const parts = path.split('/');
  const holds = ({ folder }: Row) => {
    const names = folder.split('/');
    return names.length < parts.length && names.every((name, at) => name === '*' || name === parts[at]);
  };
  const depth = ({ folder }: Row) => folder.split('/').length;
  return house.filter(holds).sort((a, b) => depth(b) - depth(a))[0] ?? null;
}

function faultsOfLength({ lines }: Source): readonly string[] {
  return lines > longest ? [`${lines} lines, more than ${longest}`] : [];
}

function faultsOfFloor(source: Source, house: readonly Row[]): readonly string[] {
  // The files next to the groups are the package's entry points: they choose what to show.
  if (!source.path.includes('/')) return source.imports.flatMap((from) => faultsOfEnding(from));
  const row = rowOf(source.path, house);
  if (row === null) return ['it stands in no folder of the house'];
  const allowed = row.exceptions?.[source.path] ?? [];
  return [
    ...faultsOfRoom(source, row),
    ...source.imports
      .filter((from) => !allowed.includes(from))
      .flatMap((from) => [...faultsOfEnding(from), ...faultsOfImport(source.path, row, from, house)]),
    ...(row.pure ? source.worldly.filter((use) => !allowed.includes(use)).map((use) => `uses ${use}`) : []),
  ];
}

function faultsOfRoom({ path, imports }: Source, { folder, rooms }: Row): readonly string[] {
  if (rooms === undefined) return [];
  const here = roomOf(path, folder);
  if (here === null) return [];
  if (!rooms.includes(here)) return [`its room, ${here}/, has no place in the order of ${folder}/`];
  return imports
    .filter((from) => from.startsWith('.'))
    .map((from) => ({ from, target: posix.join(posix.dirname(path), from) }))
    .filter(({ target }) => target.startsWith(`${folder}/`))
    .flatMap(({ from, target }) => {
      const there = roomOf(target, folder);
      if (there === null) return [`imports ${from}, which is beside the rooms of ${folder}/`];
      return rooms.indexOf(there) > rooms.indexOf(here) ? [`imports ${from} of ${there}/, a later room`] : [];
    });
}

/** Null for a file next to the subfolders. */
function roomOf(path: string, folder: string): string | null {
  const [room, ...rest] = path.slice(folder.length + 1).split('/');
  return room === undefined || rest.length === 0 ? null : room;
}

/** Files that import each other, directly or through others. An import of a type counts as any other. */
export function circlesOf(sources: readonly Source[]): readonly (readonly string[])[] {
  const byPath = new Map(
    sources.map(({ path, imports }) => [
      path,
      imports
        .filter((from) => from.startsWith('.'))
        .map((from) => posix.join(posix.dirname(path), from))
        .filter((target) => target !== path),
    ]),
  );
  return stronglyConnectedComponents([...byPath.keys()], (path) =>
    (byPath.get(path) ?? []).filter((target) => byPath.has(target)),
  );
}

function faultsOfEnding(from: string): readonly string[] {
  return from.startsWith('.') && !/\.(?:tsx?|css)$/.test(from)
    ? [`imports ${from}, which does not end in .ts, .tsx or .css`]
    : [];
}

function faultsOfImport(path: string, row: Row, from: string, house: readonly Row[]): readonly string[] {
  if (from.startsWith('.')) {
    const target = posix.join(posix.dirname(path), from);
    if (target.startsWith('..')) return [`imports ${from}, outside src/`];
    const there = rowOf(target, house);
    if (there === null) return [`imports ${from}, a face of the package`];
    return there === row || row.imports.includes(there.folder) ? [] : [`imports ${from} of ${there.folder}/`];
  }
  if (from.startsWith('node:')) return row.pure ? [`imports ${from}`] : [];
  return row.packages.includes(packageOf(from)) ? [] : [`imports the package ${packageOf(from)}`];
}

/** The packages that a row allows and no file of it imports, in words. */
export function unusedPackages(sources: readonly Source[], house: readonly Row[]): readonly string[] {
  const used = new Map(house.map((row) => [row, new Set<string>()]));
  for (const { path, imports } of sources) {
    const row = rowOf(path, house);
    if (row !== null) for (const from of imports) used.get(row)?.add(packageOf(from));
  }
  return house.flatMap((row) =>
    row.packages
      .filter((name) => used.get(row)?.has(name) !== true)
      .map((name) => `${row.folder}: does not use the package ${name}`),
  );
}

function packageOf(from: string): string {
  return from
    .split('/')
    .slice(0, from.startsWith('@') ? 2 : 1)
    .join('/');
}
