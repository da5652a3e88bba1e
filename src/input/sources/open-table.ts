import { quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { Source } from './decode-source.ts';
import { checkNamed, outside, readNamed } from './project.ts';
import { relativeToFile } from './relative-to-file.ts';

/**
 * Opens a table by its path and the name of the file that refers to it. Its problems need no place: they get the place
 * of the path.
 */
export type OpenTable = (path: string, namedBy: string) => Result<Source>;

export const openNoTable: OpenTable = () =>
  failed(
    problem('usage', 'tables are not supported here: no files are opened', {
      hint: 'put the hosts under "hosts" instead of "hostsFrom", and use no "tables"',
    }),
  );

/** Tables that are part of a configuration, by the paths that its files name: no other file is opened. */
export function openTablesOf(tables: Readonly<Record<string, string>>): OpenTable {
  return (path) => {
    const text = Object.hasOwn(tables, path) ? tables[path] : undefined;
    if (text !== undefined) return ok({ file: path, text });
    return failed(
      problem('file-missing', `tables has no ${quoted(path)}`, {
        hint: 'add the content of the file to "tables", under this path',
      }),
    );
  };
}

/**
 * Opens tables relative to the file that refers to them, within its project. That file's own name is relative to `cwd`.
 */
export function openTablesIn(cwd: string): OpenTable {
  return (path, namedBy) => {
    const file = relativeToFile(path, namedBy);
    if (!checkNamed(file, namedBy, cwd).ok) return failed(outside(path));
    const read = readNamed(file, namedBy, cwd);
    return read.ok ? ok({ file, text: read.value.bytes, changedAt: read.value.changedAt }) : read;
  };
}
