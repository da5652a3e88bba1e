import type { Dirent, Stats } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Source } from './decode-source.ts';
import { isScript } from './is-script.ts';
import { outside, type Project, projectOf, readInProject, realPathIn, unreadable } from './project.ts';

const yamlFile = 'fleet.yaml';
const typescriptFile = 'fleet.ts';
const folder = 'fleet';

/**
 * Finds the files that `-f` names, including those in folders, each file once. Without `-f`, finds `fleet.yaml`,
 * `fleet.ts` and `fleet/` in the folder `cwd`. Names in the result are as given. Reports all problems at once.
 */
export async function loadSources(
  paths: readonly string[],
  cwd: string,
  find: FindSources = findSources,
): Promise<Result<readonly Source[]>> {
  const chosen = paths.length > 0 ? ok(paths) : await defaultPaths(cwd);
  if (!chosen.ok) return chosen;
  const sources = new Map<string, Source>();
  const problems: Problem[] = [];
  for (const path of new Set(chosen.value)) {
    const found = await find(path, cwd);
    if (!found.ok) problems.push(...found.problems);
    else for (const { source, real } of found.value) if (!sources.has(real)) sources.set(real, source);
  }
  return problems.length > 0 ? failed(...problems) : ok([...sources.values()]);
}

/** A file, and its path without links. */
export interface FoundSource {
  readonly source: Source;
  readonly real: string;
}

export type FindSources = (path: string, cwd: string) => Promise<Result<readonly FoundSource[]>>;

/** The file that one `-f` names, or those in the folder. */
export async function findSources(path: string, cwd: string): Promise<Result<readonly FoundSource[]>> {
  const search: Search = { cwd, seen: new Set(), found: [], problems: [] };
  await visitGiven(search, path);
  return search.problems.length > 0 ? failed(...search.problems) : ok(search.found);
}

interface Search {
  readonly cwd: string;
  /** Real paths, so that nothing is read twice and a circular link ends. */
  readonly seen: Set<string>;
  readonly found: FoundSource[];
  readonly problems: Problem[];
}

async function defaultPaths(cwd: string): Promise<Result<readonly string[]>> {
  const [yaml, typescript, inFolder] = await Promise.all(
    [yamlFile, typescriptFile, folder].map((name) => stat(join(cwd, name)).catch(() => undefined)),
  );
  const here = [
    ...(yaml === undefined ? [] : [yamlFile]),
    ...(typescript === undefined ? [] : [typescriptFile]),
    ...(inFolder?.isDirectory() === true ? [`${folder}/`] : []),
  ];
  if (here.length > 1) {
    return failed(
      problem('usage', `${here.length === 2 ? 'both ' : ''}${here.join(' and ')} exist here`, {
        hint: `choose one with -f, or use all: ${here.map((each) => `-f ${each}`).join(' ')}`,
      }),
    );
  }
  if (here.length === 1) return ok(here.map((each) => (each === `${folder}/` ? folder : each)));
  return failed(
    problem('file-missing', `there is no ${yamlFile}, no ${typescriptFile} and no folder ${folder}/ here`, {
      hint: 'run the command in the folder of the desired state, pass it with -f FILE, or create one with: rampart init',
    }),
  );
}

async function visitGiven(search: Search, path: string): Promise<void> {
  const stats = await statOf(
    search,
    path,
    'check the path, or import the live fleet: rampart import --out FILE',
  );
  if (stats === undefined) return;
  const whole = resolve(search.cwd, path);
  const project = projectOf(stats.isDirectory() ? whole : dirname(whole), search.cwd);
  if (!stats.isDirectory()) {
    if (/\.csv$/i.test(path)) search.problems.push(isTable(path));
    else await visitFile(search, project, path);
    return;
  }
  if (!(await visitFolder(search, project, path))) {
    search.problems.push(
      problem('file-missing', `the folder ${path} contains no .yaml, .yml or .fleet.ts file`, {
        hint: 'names that start with a dot, node_modules, tests (*.rampart-test.yaml) and rampart.config.yaml are ignored',
      }),
    );
  }
}

function isTable(path: string): Problem {
  return problem('usage', `${path} is a table of hosts, not a desired state`, {
    hint: `refer to it in a file: "version: 1" and "hostsFrom: ${path}"`,
  });
}

/** Does the folder contain any desired-state file? Also true if it was already searched, or can't be searched. */
async function visitFolder(search: Search, project: Project, path: string): Promise<boolean> {
  if ((await firstSeen(search, path)) === undefined) return true;
  let children: readonly Dirent[];
  try {
    if (realPathIn(project, resolve(search.cwd, path)) === undefined) {
      search.problems.push(outside(path));
      return true;
    }
    children = await readdir(resolve(search.cwd, path), { withFileTypes: true });
  } catch (error) {
    search.problems.push(unreadable(path, error));
    return true;
  }
  let hasFiles = false;
  const names = children.filter(mayMatter).map((child) => child.name);
  for (const name of names.toSorted()) {
    const child = path.endsWith('/') ? `${path}${name}` : `${path}/${name}`;
    const stats = await statOf(search, child);
    if (stats === undefined) continue;
    if (stats.isDirectory()) hasFiles = (await visitFolder(search, project, child)) || hasFiles;
    else if (isDesiredState(name)) {
      hasFiles = true;
      await visitFile(search, project, child);
    }
  }
  return hasFiles;
}

function mayMatter(child: Dirent): boolean {
  // Installed packages have YAML files of their own.
  if (child.name.startsWith('.') || child.name === 'node_modules') return false;
  return child.isDirectory() || child.isSymbolicLink() || isDesiredState(child.name);
}

/** A script in a folder is marked by its name: the modules that it imports may be in the same folder. */
function isDesiredState(name: string): boolean {
  if (isScript(name)) return /^(?:.*\.)?fleet\.\w+$/i.test(name);
  return /\.ya?ml$/i.test(name) && !/(?:\.rampart-test|^rampart\.config)\.ya?ml$/i.test(name);
}

async function visitFile(search: Search, project: Project, path: string): Promise<void> {
  const real = await firstSeen(search, path);
  if (real === undefined) return;
  const read = readInProject(project, resolve(search.cwd, path), path);
  if (read.ok) search.found.push({ source: { file: path, text: read.value.bytes }, real });
  else search.problems.push(...read.problems);
}

/** The path without links; undefined if it was seen before. */
async function firstSeen(search: Search, path: string): Promise<string | undefined> {
  const real = await realpath(resolve(search.cwd, path)).catch(() => resolve(search.cwd, path));
  if (search.seen.has(real)) return undefined;
  search.seen.add(real);
  return real;
}

async function statOf(search: Search, path: string, hintIfMissing?: string): Promise<Stats | undefined> {
  try {
    return await stat(resolve(search.cwd, path));
  } catch (error) {
    const found = unreadable(path, error);
    const isMissing = found.code === 'file-missing' && hintIfMissing !== undefined;
    search.problems.push(isMissing ? { ...found, hint: hintIfMissing } : found);
    return undefined;
  }
}
