import { isDrift } from '../core/plan/drift/drift.ts';
import {
  accountsDriftIssue,
  accountsDriftReport,
  accountsDriftSummary,
  toAccountDrift,
} from '../forge/accounts-drift.ts';
import { fenced } from '../output/review/fenced.ts';
import { type AccountOutput, accountOutputs, inAccount } from './account-outputs.ts';
import { differenceProblem, driftTitle, kindCounts, notCompared, reportIn } from './drift-mode.ts';
import type { Job } from './job.ts';
import type { Outcome } from './outcome.ts';
import { pendingOutputs } from './plan-outcome.ts';
import { runCommand, stateFlags } from './run-command.ts';
import { problemsIn } from './validate-mode.ts';

/** Compares the fleets of all selected accounts, with one report and one issue. */
export async function accountsDriftMode(job: Job, accounts: string): Promise<Outcome> {
  const { inputs, runner } = job;
  const end = await runCommand(
    ['drift', ...stateFlags(job), `--accounts=${accounts}`, '--json', '--detailed-exitcode'],
    job,
    { hidden: 'data' },
  );
  const outputs = accountOutputs(end);
  if (outputs === undefined) return notCompared(end);
  const found = outputs.map((each) => ({ ...each, report: reportIn(each.output ?? {}) }));
  const drifts = found.map(({ account, exit_code, report }) => toAccountDrift(account, exit_code, report));
  const reports = found.flatMap(({ report }) => (report === undefined ? [] : [report]));
  const text = accountsDriftReport(drifts);
  runner.io.stdout.write(text);
  const issue = accountsDriftIssue(drifts, inputs.key, runner.io.env);
  const differences = reports.flatMap(({ differences }) => differences);
  const unmanaged = reports.reduce((sum, report) => sum + report.unmanaged.length, 0);
  return {
    exitCode: end.code,
    ...(issue === undefined ? {} : { issue }),
    problems: found.flatMap(problemsOf),
    markdown: (limit) => {
      const head = `${driftTitle}**${accountsDriftSummary(drifts)}**\n\n`;
      return text === '' ? head : head + fenced(text, limit - head.length, 'start');
    },
    outputs: {
      changes: String(differences.filter(isDrift).length + unmanaged),
      ...pendingOutputs(kindCounts(differences)),
    },
  };
}

function problemsOf({ account, output, report }: AccountOutput & { report: ReturnType<typeof reportIn> }) {
  const problems =
    report === undefined
      ? problemsIn(output ?? {})
      : [...report.problems, ...report.differences.filter(isDrift).map(differenceProblem)];
  return problems.map((each) => inAccount(account, each));
}
