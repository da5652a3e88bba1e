import { z } from 'zod';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import type { State } from './interface/state.ts';
import { rolloutEntrySchema, rolloutHeadSchema } from './rollout/rollout-record.ts';
import type { RolloutStore } from './rollout/rollout-store.ts';

/** A rollout in an exported state. Its plans are on lines of their own, so that only one is in memory. */
export const rolloutLineSchema = z.looseObject({
  type: z.literal('rollout'),
  head: rolloutHeadSchema,
  events: rolloutEntrySchema.or(z.tuple([])),
});
export const rolloutPlanLineSchema = z.looseObject({
  type: z.literal('rollout-plan'),
  rollout_id: z.string(),
  account: z.string(),
  plan: z.string(),
});
export type RolloutLine = z.infer<typeof rolloutLineSchema>;
export type RolloutPlanLine = z.infer<typeof rolloutPlanLineSchema>;

/** Writes all rollouts, oldest first, each with its plans. The value is how many there are. */
export async function exportRollouts(
  { rollouts }: Pick<State, 'rollouts'>,
  print: (line: RolloutLine | RolloutPlanLine) => void,
): Promise<Result<number>> {
  const ids = await rollouts.list();
  if (!ids.ok) return ids;
  let count = 0;
  for (const id of ids.value.toReversed()) {
    const read = await rollouts.read(id);
    if (!read.ok) return read;
    // It was removed in the meantime.
    if (read.value === null) continue;
    const { head, events } = read.value;
    print({ type: 'rollout', head, events: [...events] });
    for (const { account } of head.accounts) {
      const plan = await rollouts.readPlan(id, account);
      if (!plan.ok) return plan;
      if (plan.value !== null) print({ type: 'rollout-plan', rollout_id: id, account, plan: plan.value });
    }
    count += 1;
  }
  return ok(count);
}

/** The value is true if the rollout was not there yet. */
export async function importRollout(
  store: RolloutStore,
  { head, events }: RolloutLine,
): Promise<Result<boolean>> {
  const known = await store.read(head.rollout_id);
  if (!known.ok) return known;
  if (known.value !== null) return ok(false);
  const created = await store.create(head);
  if (!created.ok) return created;
  if (events.length === 0) return ok(true);
  const appended = await store.append(head.rollout_id, 0, events);
  if (!appended.ok || appended.value) return appended;
  return failed(problem('state', `rollout ${head.rollout_id} changed while it was imported`));
}
