import { dirname, resolve } from 'node:path';
import { failed, ok } from '../../problem/result.ts';
import type { OpenTable } from '../entries/read-hosts-from.ts';
import { besideFile } from './beside-file.ts';
import { isOpenToFiles, outside, projectOf, readInProject } from './project.ts';

/** Opens tables relative to the file that names them, itself relative to `cwd`, and in its project. */
export function openTablesIn(cwd: string): OpenTable {
  return (path, namedBy) => {
    const file = besideFile(path, namedBy);
    const whole = resolve(cwd, file);
    const project = projectOf(dirname(resolve(cwd, namedBy)), cwd);
    if (!isOpenToFiles(project, whole)) return failed(outside(path));
    const read = readInProject(project, whole, file);
    return read.ok ? ok({ file, text: read.value.bytes }) : read;
  };
}
