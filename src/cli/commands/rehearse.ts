import type { Rehearsal } from '../../api/client/generated/shapes.ts';
import { printable } from '../../core/lib/printable.ts';
import { count, grouped } from '../../core/lib/words.ts';
import { toPlanDocument } from '../../core/plan/document/plan-document.ts';
import { problem } from '../../core/problem/problem.ts';
import { durationWords } from '../../output/review/duration-words.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { unlimited } from '../../run/apply/rehearse.ts';
import { loadPlan, printReview } from '../planning/print-review.ts';
import { rehearsalOf } from '../planning/rehearsal.ts';
import { localFlag, openClient, resultOfAnswer, type ServerFlag, toProblem } from '../server/open-client.ts';
import { type Context } from '../shell/context.ts';

export interface RehearseFlags extends ServerFlag {
  /** A snapshot to rehearse on, with no credentials. */
  readonly observed?: string;
  /** Calls per second. */
  readonly assumeRate?: number;
  /** Milliseconds. */
  readonly assumeLatency?: number;
  /** Shows the plan without the hosts whose changes can be undone. */
  readonly summary?: true;
}

/** Runs a saved plan, or a plan of a server, on an emulated copy of the fleet; the real one is only read. */
export async function rehearseCommand(
  context: Context,
  flags: RehearseFlags,
  file: string,
): Promise<ExitCode> {
  if (flags.server !== undefined) return rehearseOnServer(context, flags, file);
  const plan = await loadPlan(context, file);
  if (!plan.ok) return context.fail(plan.problems);
  const pace = plan.value.forecast?.pace ?? unlimited;
  const rehearsal = await rehearsalOf(context, plan.value, {
    saved: flags.observed,
    pace: {
      rate: flags.assumeRate ?? pace.rate,
      latency: flags.assumeLatency === undefined ? pace.latency : flags.assumeLatency / 1000,
    },
  });
  if (!rehearsal.ok) return context.fail(rehearsal.problems);
  context.report(rehearsal.problems);
  const rehearsed = { ...plan.value, rehearsal: rehearsal.value };
  if (context.settings.format === 'json') context.printJson(toPlanDocument(rehearsed));
  else printReview(rehearsed, context, flags);
  if (rehearsal.value.withoutFaults.converged) return exitCodes.success;
  return context.fail([notConverged]);
}

const notConverged = problem('not-converged', 'the rehearsal did not bring the fleet to the planned state');

/** How often the end is looked for, and for how long, in milliseconds. */
const lookMs = 500;
const longestMs = 15 * 60_000;

/** Asks a server to rehearse one of its plans, waits for the end, and prints the result. */
async function rehearseOnServer(
  context: Context,
  flags: ServerFlag & Partial<Record<'observed' | 'assumeRate' | 'assumeLatency' | 'summary', unknown>>,
  id: string,
): Promise<ExitCode> {
  const local = localFlag(flags, ['observed', 'assumeRate', 'assumeLatency', 'summary']);
  if (local !== undefined) return context.fail([local]);
  const client = openClient(context, flags);
  if (!client.ok) return context.fail(client.problems);
  const asked = resultOfAnswer(await client.value.rehearsePlan({ id }));
  if (!asked.ok) return context.fail(asked.problems);
  const { clock } = context.io;
  const giveUpAt = clock.now() + longestMs;
  let rehearsal: Rehearsal = asked.value;
  while (rehearsal.ended_at === null) {
    if (clock.now() > giveUpAt) return context.fail([late]);
    await clock.sleep(lookMs);
    const plan = resultOfAnswer(await client.value.getPlan({ id }));
    if (!plan.ok) return context.fail(plan.problems);
    rehearsal = plan.value.rehearsal ?? rehearsal;
  }
  if (context.settings.format === 'json') context.printJson(rehearsal);
  else if (rehearsal.failure === null) context.print(`${linesOf(id, rehearsal).join('\n')}\n`);
  const { failure, converged } = rehearsal;
  if (failure !== null) return context.fail([toProblem(failure)]);
  if (converged === true) return exitCodes.success;
  return context.fail([notConverged]);
}

const late = problem('timed-out', 'the rehearsal has not ended after 15 minutes', {
  hint: 'run the same command again later to see its result',
});

function linesOf(
  id: string,
  { converged, runs, findings, more_findings: more }: Rehearsal,
): readonly string[] {
  return [
    `Rehearsed plan ${id}: ${converged === true ? 'the fleet reaches' : 'the fleet does not reach'} the planned state.`,
    ...runs.map((run) => `  ${runWords[run.kind]}: ${runLine(run)}`),
    ...findings.map(({ run, severity, message }) => `  ${severity}, ${runWords[run]}: ${printable(message)}`),
    ...(more === 0 ? [] : [`  ${count(more, 'more finding')}`]),
  ];
}

const runWords = { without_faults: 'without faults', with_faults: 'with faults' } as const;

function runLine({ steps, calls, conflicts, refusals, seconds }: Rehearsal['runs'][number]): string {
  const { answers, already, repeated, failed } = conflicts;
  return [
    `${grouped(steps.done)} of ${count(steps.total, 'step')} done`,
    ...(steps.failed === 0 ? [] : [`${steps.failed} failed`]),
    ...(steps.in_doubt === 0 ? [] : [`${steps.in_doubt} in doubt`]),
    ...(steps.skipped === 0 ? [] : [`${steps.skipped} not begun`]),
    count(calls, 'call'),
    ...(answers === 0
      ? []
      : [
          `${count(answers, 'answer')} of 409 (${already} had the name, ${repeated} repeated, ${failed} failed)`,
        ]),
    ...(refusals === 0 ? [] : [`${count(refusals, 'answer')} of 429`]),
    durationWords(seconds * 1000),
  ].join(', ');
}
