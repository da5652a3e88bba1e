import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { problem } from '../../problem/problem.ts';
import { failed, ok, type Result } from '../../problem/result.ts';
import type { OpenTable } from '../entries/read-hosts-from.ts';
import { besideFile } from './beside-file.ts';
import { maxFileBytes, type Source, tooLarge } from './decode-source.ts';
import { unreadable } from './find-files.ts';

/** Opens tables relative to the file that names them, itself relative to `cwd`. */
export function openTablesIn(cwd: string): OpenTable {
  return (path, namedBy) => {
    const file = besideFile(path, namedBy);
    try {
      return read(file, resolve(cwd, file));
    } catch (error) {
      return failed(unreadable(file, error));
    }
  };
}

function read(file: string, path: string): Result<Source> {
  const stats = statSync(path);
  if (!stats.isFile()) return failed(problem('file-unreadable', `${file} is not a file`));
  if (stats.size > maxFileBytes) return failed(tooLarge(file));
  return ok({ file, text: readFileSync(path) });
}
