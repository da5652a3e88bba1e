import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { isOpenToFiles, isWithin, type Project } from '../sources/project.ts';

const modules = 'node_modules';
/** In a pattern, Node reads this as "and everything after". */
const wildcard = '*';
/** Searching more entries takes longer than the script may run. */
const mostEntries = 1_000_000;

/**
 * The parts of its project that a script may read, as patterns of `--allow-fs-read`: everything except names that begin
 * with a dot, which hold credentials (`.git/config`, `.env`) and the state of runs. Node checks the text of a path and
 * then follows links, so a link that could lead anywhere else is refused here, before the script runs. The project is a
 * real path.
 */
export function readableOf(project: Project): Result<readonly string[]> {
  if (dirname(project) === project) {
    return failed(tooWide('a script in the root folder could read every file of this machine'));
  }
  if (project.includes(wildcard))
    return failed(tooWide(`a folder above the script has "${wildcard}" in its name`));
  const leading: string[] = [];
  let entries = 0;
  const whole = search(project);
  if (entries > mostEntries)
    return failed(tooWide(`the project of the script has more than ${mostEntries} files`));
  if (leading.length > 0) return failed(...leading.map((link) => leadsOut(relative(project, link))));
  return ok(whole === 'all' ? [join(project, wildcard)] : whole);

  /** The patterns of a folder; `all` if nothing in it is left out. */
  function search(folder: string): 'all' | readonly string[] {
    const patterns: string[] = [];
    let isWhole = true;
    const children = childrenOf(folder);
    entries += children?.length ?? 0;
    if (children === undefined || entries > mostEntries) return [];
    for (const child of children) {
      const path = join(folder, child.name);
      const isHidden = child.name.startsWith('.') && (child.name === '.git' || !isOfModules(folder));
      // In a pattern, this name would match other names.
      const isLeftOut = isHidden || child.name.includes(wildcard);
      const inside = isLeftOut ? [] : child.isDirectory() ? search(path) : 'all';
      if (!isLeftOut && child.isSymbolicLink() && !isHarmless(path)) leading.push(path);
      if (inside === 'all') patterns.push(child.isDirectory() ? join(path, wildcard) : path);
      else {
        isWhole = false;
        patterns.push(...inside);
      }
    }
    return isWhole ? 'all' : patterns;
  }

  function isOfModules(path: string): boolean {
    return relative(project, path).split(sep).includes(modules);
  }

  /**
   * True for a link to a file of the project. A link to a folder can be used to climb out: the kernel resolves
   * `link/../..` from the link's target, Node's check from the link. Package managers need such links. If the target is
   * at least as deep in the same `node_modules`, every climb ends in a folder that the script may read.
   */
  function isHarmless(link: string): boolean {
    try {
      const target = realpathSync(link);
      if (!lstatSync(target).isDirectory()) return isReadable(link, target);
      const root = modulesAround(link);
      return root !== undefined && isWithin(root, target) && depthOf(target) >= depthOf(link);
    } catch {
      return false;
    }
  }

  function isReadable(link: string, target: string): boolean {
    const root = modulesAround(link);
    return isOpenToFiles(project, target) || (root !== undefined && isWithin(root, target));
  }

  /** The outermost `node_modules` of the project that a path is in. */
  function modulesAround(path: string): string | undefined {
    const names = relative(project, path).split(sep);
    const at = names.indexOf(modules);
    return at === -1 ? undefined : join(project, ...names.slice(0, at + 1));
  }
}

/** Undefined for a folder that this user can't read: the script can't read it either. */
function childrenOf(folder: string): readonly Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function depthOf(path: string): number {
  return path.split(sep).length;
}

function tooWide(message: string) {
  return problem('script-failed', message, { hint: 'move it to a separate folder with a package.json' });
}

function leadsOut(link: string) {
  return problem(
    'script-failed',
    `the script is not run because a link points outside its project: ${link}`,
    {
      hint: 'replace the link with a file or remove it: a script could read its target',
    },
  );
}
