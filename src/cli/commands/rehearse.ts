import type { Observed } from '../../core/model/observed.ts';
import { readSnapshot } from '../../core/model/snapshot.ts';
import { toPlanDocument } from '../../core/plan/document/plan-document.ts';
import { problem, type Result } from '../../core/problem/problem.ts';
import { assess } from '../../run/apply/assess.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { rehearse as rehearsePlan } from '../../run/apply/rehearse.ts';
import { loadPlan } from '../planning/plan-file.ts';
import { printReview } from '../planning/print-review.ts';
import type { ServerFlag } from '../server/open-client.ts';
import { rehearseOnServer } from '../server/rehearse-on-server.ts';
import { readFleet } from '../service/read-fleet.ts';
import type { Context } from '../shell/context.ts';
import { readTextFile } from '../shell/files.ts';

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
  const antivirus = plan.value.steps.some((step) => step.kind === 'antivirus');
  const fleet =
    flags.observed === undefined
      ? await readFleet(context, { antivirus })
      : await readSaved(context, flags.observed);
  if (!fleet.ok) return context.fail(fleet.problems);
  const { stale } = assess(plan.value, fleet.value);
  if (stale.length > 0) return context.fail(stale);

  const rate = flags.assumeRate ?? plan.value.forecast?.pace.rate;
  const latency =
    flags.assumeLatency === undefined
      ? (plan.value.forecast?.pace.latency ?? 0.1)
      : flags.assumeLatency / 1000;
  const rehearsal = await rehearsePlan(
    plan.value,
    fleet.value,
    rate === undefined ? {} : { pace: { rate, latency } },
  );
  const rehearsed = { ...plan.value, rehearsal };
  if (context.settings.format === 'json') context.printJson(toPlanDocument(rehearsed));
  else printReview(rehearsed, context, flags);
  if (rehearsal.withoutFaults.converged) return exitCodes.success;
  return context.fail([
    problem('not-converged', 'the rehearsal did not bring the fleet to the planned state'),
  ]);
}

async function readSaved(context: Context, file: string): Promise<Result<Observed>> {
  const text = await readTextFile(context.path(file), file);
  if (!text.ok) return text;
  const snapshot = readSnapshot(text.value, file);
  return snapshot.ok ? { ...snapshot, value: snapshot.value.observed } : snapshot;
}
