import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';

const ending = /\.rampart-test\.ya?ml$/i;
const namingHint = 'test files end in .rampart-test.yaml';

/**
 * The test files below folders, and files that are named directly, without duplicates and in name order. Without paths:
 * those below this folder, and those next to the desired state that `-f` names.
 */
export async function findTestFiles(
  paths: readonly string[],
  desired: readonly string[],
  cwd: string,
): Promise<Result<readonly string[]>> {
  const problems: Problem[] = [];
  const found = new Map<string, string>();
  const add = (path: string) => {
    const whole = resolve(cwd, path);
    if (!found.has(whole)) found.set(whole, path);
  };
  for (const path of paths) {
    const stats = await stat(resolve(cwd, path)).catch(() => undefined);
    if (stats === undefined)
      problems.push(problem('file-missing', `the file or folder ${path} does not exist`));
    else if (!stats.isDirectory()) add(path);
    else {
      const inside = await below(path, cwd);
      if (inside.length === 0)
        problems.push(problem('file-missing', `there are no tests in ${path}`, { hint: namingHint }));
      inside.forEach(add);
    }
  }
  if (paths.length === 0) {
    const beside = await Promise.all(desired.map((path) => folderOf(path, cwd)));
    for (const folder of ['.', ...beside]) {
      for (const file of await below(folder, cwd)) add(file);
    }
    if (found.size === 0)
      problems.push(
        problem('file-missing', 'there are no tests here', {
          hint: `${namingHint}, in this folder or below`,
        }),
      );
  }
  return problems.length > 0 ? failed(...problems) : ok([...found.values()]);
}

async function folderOf(path: string, cwd: string): Promise<string> {
  const stats = await stat(resolve(cwd, path)).catch(() => undefined);
  return stats?.isDirectory() === true ? path : dirname(path);
}

async function below(folder: string, cwd: string): Promise<readonly string[]> {
  const children = await readdir(resolve(cwd, folder), { withFileTypes: true }).catch(() => [] as Dirent[]);
  const files: string[] = [];
  for (const child of children.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, child.name);
    if (child.isDirectory() && !child.name.startsWith('.') && child.name !== 'node_modules') {
      files.push(...(await below(path, cwd)));
    } else if (!child.isDirectory() && ending.test(child.name)) files.push(path);
  }
  return files;
}
