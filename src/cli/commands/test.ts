import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import type { PlanDifference } from '../../core/plan/guards/check-plan.ts';
import {
  allOf,
  failed,
  formatPlace,
  ok,
  type Problem,
  problem,
  type Result,
} from '../../core/problem/problem.ts';
import { createDesiredLoader } from '../../input/load-desired.ts';
import { readTestFile } from '../../input/plan-tests/read-test-file.ts';
import { missingPath, readGiven } from '../../input/sources/project.ts';
import type { Color } from '../../output/review/color.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { printResult } from '../listing/print-listing.ts';
import { type CaseResult, runCase } from '../plan-tests/run-case.ts';
import type { Context } from '../shell/context.ts';

/** Plans the cases of `*.rampart-test.yaml` files, and compares each plan with its expectation. Nothing is sent. */
export async function test(
  context: Context,
  { file: desired = [] }: { readonly file?: readonly string[] },
  paths: readonly string[],
): Promise<ExitCode> {
  const found = await findTestFiles(paths, desired, context.io.cwd);
  if (!found.ok) return context.fail(found.problems);
  const { cwd } = context.io;
  const read = found.value.map((file) => {
    const text = readGiven(file, cwd);
    return text.ok ? readTestFile({ file, text: text.value.bytes }) : text;
  });
  const files = allOf(read);
  if (!files.ok) return context.fail(files.problems);
  const load = createDesiredLoader({ cwd, onOutput: () => {} });
  const ran: Result<CaseResult>[] = [];
  for (const { file, cases } of files.value)
    for (const each of cases) ran.push(await runCase(context, file, each, desired, load));
  const results = allOf(ran);
  if (!results.ok) return context.fail(results.problems);
  const { value } = results;
  printResult(context, resultsDocument(value), () => paintResults(value, context.settings.outColor));
  return value.every(({ differences }) => differences.length === 0) ? exitCodes.success : exitCodes.error;
}

const signs: Readonly<Record<PlanDifference['kind'], string>> = { missing: '-', unexpected: '+', wrong: '!' };
const words: Readonly<Record<PlanDifference['kind'], string>> = {
  missing: 'is not in the plan',
  unexpected: 'was not expected',
  wrong: '',
};

/** The cases of each file, with the differences of those that failed. */
function paintResults(results: readonly CaseResult[], color: Color): string {
  const files = Map.groupBy(results, ({ file }) => file);
  const parts = [...files].map(([file, own]) =>
    [color.bold(printable(file)), ...own.flatMap((each) => paintCase(each, color)), ''].join('\n'),
  );
  return `${parts.join('\n')}\n${summary(results, color)}\n`;
}

function paintCase({ case: { name }, differences }: CaseResult, color: Color): readonly string[] {
  const passed = differences.length === 0;
  const mark = passed ? color.green('✓') : color.red('✗');
  return [
    `  ${mark} ${printable(name)}`,
    ...differences.flatMap(({ kind, text, hint, place }) => {
      const paint = kind === 'missing' ? color.green : color.red;
      const word = words[kind] === '' ? '' : color.dim(` (${words[kind]})`);
      return [
        `      ${paint(`${signs[kind]} ${printable(text)}`)}${word}`,
        `        ${color.dim(`${printable(formatPlace(place))}${hint === undefined ? '' : `: ${printable(hint)}`}`)}`,
      ];
    }),
  ];
}

function summary(results: readonly CaseResult[], color: Color): string {
  const failures = results.filter(({ differences }) => differences.length > 0).length;
  const cases = count(results.length, 'case', 'cases');
  return failures === 0 ? color.green(`${cases} passed`) : color.red(`${failures} of ${cases} failed`);
}

/** The results as JSON. */
function resultsDocument(results: readonly CaseResult[]): Readonly<Record<string, unknown>> {
  const failures = results.filter(({ differences }) => differences.length > 0).length;
  return {
    format_version: '1.0',
    passed: results.length - failures,
    failed: failures,
    cases: results.map(({ file, case: { name, place }, differences }) => ({
      file,
      line: place.line,
      name,
      passed: differences.length === 0,
      differences: differences.map(({ kind, text, hint, place: { file: in_, line, col } }) => ({
        kind,
        text,
        ...(hint === undefined ? {} : { hint }),
        file: in_,
        line,
        col,
      })),
    })),
  };
}

const ending = /\.rampart-test\.ya?ml$/i;
const namingHint = 'test files end in .rampart-test.yaml';

/**
 * The test files below folders, and files that are named directly, without duplicates and in name order. Without paths:
 * those below this folder, and those next to the desired state that `-f` names.
 */
async function findTestFiles(
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
    if (stats === undefined) problems.push(missingPath(path));
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
