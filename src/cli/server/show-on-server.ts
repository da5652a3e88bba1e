import { readStoredPlan } from '../../accounts/plans/read-stored-plan.ts';
import type { PlanRow, RunDetail, RunEvent } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { planChecksum } from '../../core/plan/document/plan-document.ts';
import { ok } from '../../core/problem/problem.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { printInFormat, type ReviewFlags } from '../planning/print-review.ts';
import type { Context } from '../shell/context.ts';
import { askServer, openClient, resultOfAnswer, type ServerFlag } from './open-client.ts';

/** Shows a plan of a server like a plan file. Text ends with the commands that decide exactly this plan. */
export async function showOnServer(
  context: Context,
  flags: ServerFlag & ReviewFlags,
  id: string,
): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const document = resultOfAnswer(await client.value.getPlanDocument({ id }));
  if (!document.ok) return context.fail(document.problems);
  const plan = readStoredPlan(JSON.stringify(document.value), printable(id));
  if (!plan.ok) return context.fail(plan.problems);
  const row = resultOfAnswer(await client.value.getPlan({ id }));
  if (!row.ok) return context.fail(row.problems);
  await printInFormat(plan.value, context, flags);
  if (context.settings.format !== 'text') return exitCodes.success;
  const server = typeof flags.server === 'string' ? ` --server ${printable(flags.server)}` : '';
  // The checksum of what was shown, so that a decision can't be for anything else.
  context.print(`\n${standing(row.value, planChecksum(plan.value), server)}\n`);
  return exitCodes.success;
}

/** What was decided about a plan, or how to decide it. */
function standing(
  {
    id,
    account,
    state,
    reason,
    replaced_by: newer,
    pull_request: pull,
    approvals,
    required,
    may_approve: may,
  }: PlanRow,
  checksum: string,
  server: string,
): string {
  const from = pull === null ? '' : `\nPull request: ${printable(pull)}`;
  const name = printable(`Plan ${id} of ${account}`);
  if (state !== 'waiting') {
    const because = reason === null ? '' : `: ${printable(reason)}`;
    return `${name} is ${state}${because}${newer === null ? '' : ` (${printable(newer)})`}.${from}`;
  }
  const given = approvals.filter(({ decision }) => decision === 'approved').length;
  const people = required.approvals === 1 ? '' : ` by ${required.approvals} people, and has ${given}`;
  const numbers = required.numbers.map(({ limit, value }) => ` --ack ${limit}=${value}`).join('');
  return [
    `${name} waits for approval${people}.${from}`,
    ...(may.allowed ? [] : [`You can't approve it: ${printable(may.reason ?? 'the server refuses it')}.`]),
    'To approve or reject exactly this plan, run:',
    `  rampart server approve ${printable(id)} --checksum ${checksum}${numbers}${server}`,
    `  rampart server reject ${printable(id)} --checksum ${checksum} --reason TEXT${server}`,
  ].join('\n');
}

/** The latest lines of its log that are shown. */
const mostLines = 200;

/** Shows one run of a server, with the end of its log. */
export function showServerRun(context: Context, flags: ServerFlag, id: string): Promise<ExitCode> {
  return askServer(
    context,
    flags,
    async (client) => {
      const run = resultOfAnswer(await client.getRun({ id }));
      if (!run.ok) return run;
      const events = resultOfAnswer(await client.listRunEvents({ id, limit: mostLines }));
      return events.ok ? ok({ ...run.value, events: events.value.items }) : events;
    },
    (run) => `${[...headLines(run), ...logLines(run.events, context)].join('\n')}\n`,
  );
}

function headLines(run: RunDetail): readonly string[] {
  const { id, account, plan, state, steps, started_at: start, ended_at: end, exit_code: code } = run;
  const { by, reason, waits_for: wait, override } = run;
  const others = (['failed', 'in_doubt', 'in_progress', 'skipped'] as const).flatMap((kind) =>
    steps[kind] === 0 ? [] : [`${grouped(steps[kind])} ${kind.replace('_', ' ')}`],
  );
  const rows: readonly (readonly [string, string | null])[] = [
    ['plan', plan],
    ['steps', [`${grouped(steps.done)} of ${grouped(steps.total)} done`, ...others].join(', ')],
    ['started', start],
    ['ended', end === null ? null : `${end}${code === null ? '' : `, exit code ${code}`}`],
    ['by', by === null ? null : `${by.name}${reason === null ? '' : `: ${reason}`}`],
    ['waits for', wait ? `${wait.message}${wait.until === undefined ? '' : `; ${wait.until}`}` : null],
    ['override', override ? `${override.by.name}: ${override.reason}` : null],
  ];
  return [
    printable(`Run ${id} of ${account}: ${state.replace('_', ' ')}.`),
    ...rows.flatMap(([key, value]) => (value === null ? [] : [`  ${key.padEnd(9)}  ${printable(value)}`])),
  ];
}

function logLines(events: readonly RunEvent[], { io }: Context): readonly string[] {
  if (events.length === 0) return [];
  const rows = events.map(({ at, step, text }) =>
    [at, step ?? '', text].map((each) => ({ text: printable(each) })),
  );
  const lines = layOut(rows, { columns: ['extra', 'fixed', 'name'], indent: 2, width: io.stdout.columns });
  const title = events.length < mostLines ? 'Log:' : `The last ${count(mostLines, 'line')} of its log:`;
  return ['', title, ...lines];
}
