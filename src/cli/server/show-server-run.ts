import type { RunDetail, RunEvent } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { count } from '../../output/review/count.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import type { Context } from '../shell/context.ts';
import { openClient, resultOfAnswer, type ServerFlag } from './open-client.ts';

/** The latest lines of its log that are shown. */
const mostLines = 200;

/** Shows one run of a server, with the end of its log. */
export async function showServerRun(context: Context, flags: ServerFlag, id: string): Promise<ExitCode> {
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const run = resultOfAnswer(await client.value.getRun({ id }));
  if (!run.ok) return context.fail(run.problems);
  const events = resultOfAnswer(await client.value.listRunEvents({ id, limit: mostLines }));
  if (!events.ok) return context.fail(events.problems);
  const { items } = events.value;
  if (context.settings.format === 'json') context.printJson({ ...run.value, events: items });
  else context.print(`${[...headLines(run.value), ...logLines(items, context)].join('\n')}\n`);
  return exitCodes.success;
}

function headLines(run: RunDetail): readonly string[] {
  const { id, account, plan, state, steps, started_at: start, ended_at: end, exit_code: code } = run;
  const { by, reason, waits_for: wait, override } = run;
  const others = (['failed', 'in_doubt', 'in_progress', 'skipped'] as const).flatMap((kind) =>
    steps[kind] === 0 ? [] : [`${steps[kind]} ${kind.replace('_', ' ')}`],
  );
  const rows: readonly (readonly [string, string | null])[] = [
    ['plan', plan],
    ['steps', [`${steps.done} of ${steps.total} done`, ...others].join(', ')],
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
  const rows = events.map(({ at, step = '', text }) =>
    [at, step, text].map((each) => ({ text: printable(each) })),
  );
  const lines = layOut(rows, { columns: ['extra', 'fixed', 'name'], indent: 2, width: io.stdout.columns });
  const title = events.length < mostLines ? 'Log:' : `The last ${count(mostLines, 'line')} of its log:`;
  return ['', title, ...lines];
}
