import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/**
 * Why the folder of the state can't be used: it is in the checkout by its path, and a symbolic link on the path leads out
 * of it. The change under review may have brought the link, and everything in the folder that it leads to would be read as
 * records, or replaced. A folder elsewhere is the choice of the operator.
 */
export function linkedOut(stateDir: string, shown: string, cwd: string): Problem | undefined {
  const folder = resolve(cwd, stateDir);
  const checkout = repositoryAt(resolve(cwd)) ?? resolve(cwd);
  if (!isWithin(folder, checkout)) return undefined;
  const target = realPathOf(folder);
  if (isWithin(target, realPathOf(checkout))) return undefined;
  return problem('not-approved', `the folder ${shown} is a link out of this checkout, to ${target}`, {
    hint: `remove the link, or pass the folder itself: --state-dir ${target}`,
  });
}

/** With all links followed. The part that does not exist has none. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), relative(above, path));
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
}

/** The closest folder with a Git repository: this one, or one above it. */
export function repositoryAt(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  const above = dirname(folder);
  return above === folder ? undefined : repositoryAt(above);
}
