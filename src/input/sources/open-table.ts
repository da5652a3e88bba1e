import { failed, ok } from '../../core/problem/result.ts';
import type { OpenTable } from '../entries/read-hosts-from.ts';
import { besideFile } from './next-to-file.ts';
import { checkNamed, outside, readNamed } from './project.ts';

/** Opens tables relative to the file that names them, itself relative to `cwd`, and in its project. */
export function openTablesIn(cwd: string): OpenTable {
  return (path, namedBy) => {
    const file = besideFile(path, namedBy);
    if (!checkNamed(file, namedBy, cwd).ok) return failed(outside(path));
    const read = readNamed(file, namedBy, cwd);
    return read.ok ? ok({ file, text: read.value.bytes }) : read;
  };
}
