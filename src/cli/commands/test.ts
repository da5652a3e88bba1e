import type { Problem } from '../../core/problem/problem.ts';
import { createDesiredLoader } from '../../input/load-many.ts';
import type { PlanTestFile } from '../../input/plan-tests/plan-case.ts';
import { readTestFile } from '../../input/plan-tests/read-test-file.ts';
import { readGiven } from '../../input/sources/project.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { findTestFiles } from '../plan-tests/find-test-files.ts';
import { paintResults, resultsDocument } from '../plan-tests/paint-results.ts';
import { type CaseResult, runCase } from '../plan-tests/run-case.ts';
import type { Context } from '../shell/context.ts';

export interface TestFlags {
  readonly file?: readonly string[];
}

/** Plans the cases of `*.rampart-test.yaml` files, and compares each plan with its expectation. Nothing is sent. */
export async function test(
  context: Context,
  { file: desired = [] }: TestFlags,
  paths: readonly string[],
): Promise<ExitCode> {
  const found = await findTestFiles(paths, desired, context.io.cwd);
  if (!found.ok) return context.fail(found.problems);
  const files: PlanTestFile[] = [];
  const broken: Problem[] = [];
  for (const name of found.value) {
    const text = readGiven(name, context.io.cwd);
    const read = text.ok ? readTestFile({ file: name, text: text.value.bytes }) : text;
    if (read.ok) files.push(read.value);
    else broken.push(...read.problems);
  }
  if (broken.length > 0) return context.fail(broken);

  const results: CaseResult[] = [];
  const { cwd } = context.io;
  const load = createDesiredLoader({ cwd, onOutput: () => {} });
  for (const { file, cases } of files) {
    for (const each of cases) {
      const ran = await runCase(context, file, each, desired, load);
      if (ran.ok) results.push(ran.value);
      else broken.push(...ran.problems);
    }
  }
  if (broken.length > 0) return context.fail(broken);
  if (context.settings.format === 'json') context.printJson(resultsDocument(results));
  else context.print(paintResults(results, context.settings.outColor));
  return results.every(({ differences }) => differences.length === 0) ? exitCodes.success : exitCodes.error;
}
