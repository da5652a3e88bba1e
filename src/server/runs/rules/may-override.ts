import { acknowledge } from '../../../core/plan/guards/guard.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { readApprovedPlan } from '../../plans/rules/approved-plan.ts';
import type { JobParts } from '../../queue/rules/job-parts.ts';
import { accountNamed } from '../../settings/configured-account.ts';
import type { ServerRun } from '../records/runs.ts';
import { closedWindow } from './run-windows.ts';

/**
 * Why nobody can override the change windows of a run now; undefined if someone can. A run in progress can continue
 * past the end of its window, and a queued run must wait for one.
 */
export async function overrideRefusal(
  run: ServerRun,
  parts: Pick<JobParts, 'store' | 'settings' | 'clock'>,
): Promise<Problem | undefined> {
  if (run.endedAt !== null)
    return problem('conflict', 'the run has ended', { hint: 'GET the run to see its result' });
  if (run.state === 'stopping')
    return problem('conflict', 'someone asked the run to stop', { hint: 'wait for its end' });
  if (run.override !== null)
    return problem('conflict', `${run.override.by.name} already overrides the change windows of this run`);
  if (run.state !== 'queued') return undefined;
  const approved = await readApprovedPlan(run, parts);
  if (!approved.ok) return approved.problems[0];
  const account = accountNamed(parts.settings, run.account);
  const { plan, acks } = approved.value;
  const now = new Date(parts.clock.now()).toISOString();
  const closed = account && closedWindow(acknowledge(plan, acks), account, parts.settings, now);
  if (closed !== undefined) return undefined;
  return problem('conflict', 'the run is not waiting for a change window or a freeze', {
    hint: 'an override does not lift a pause or a limit; GET the run to see what it is waiting for',
  });
}
