import type { Problem } from '../../../core/problem/problem.ts';
import { isCopied, isIgnored, notRegular, pathProblem, tooMany } from './source-path.ts';

export interface TreeFile {
  /** Relative to the path of the source, with forward slashes. */
  readonly path: string;
  readonly object: string;
}

export interface ReadTree {
  readonly files: readonly TreeFile[];
  readonly problems: readonly Problem[];
}

const shownProblems = 20;

/** Reads the output of `git ls-tree -r -z`: the files to copy, and those that can't be copied. */
export function readGitTree(output: Buffer, source: string, mostFiles: number): ReadTree {
  const files: TreeFile[] = [];
  const problems: Problem[] = [];
  for (const line of output.toString('utf8').split('\0')) {
    if (line === '') continue;
    if (problems.length >= shownProblems) break;
    const match = /^(\d{6}) (\w+) ([0-9a-f]{40,64})\t([^]+)$/.exec(line);
    if (match === null) {
      problems.push(tooMany('a tree that Git lists in an unknown form', source));
      break;
    }
    const [, mode = '', , object = '', path = ''] = match;
    if (isIgnored(path)) continue;
    const named = pathProblem(path, source);
    if (named !== undefined) problems.push(named);
    else if (mode === '120000') problems.push(notRegular('a symbolic link', path, source));
    else if (mode === '160000') problems.push(notRegular('a submodule', path, source));
    else if (isCopied(path)) files.push({ path, object });
    if (files.length > mostFiles) {
      problems.push(tooMany(`more than ${mostFiles} files`, source));
      break;
    }
  }
  return { files, problems };
}
