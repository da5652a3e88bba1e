import { planChecksum, readPlan } from '../../core/plan/document/plan-document.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import { type CoveredStore, type Covers, coverKey, coverWithinMs } from './audit/covers.ts';
import type { State } from './interface/state.ts';
import { runIdAfter } from './journal/journal-on.ts';
import { sealRun } from './journal/seal-run.ts';
import type { RolloutHead } from './rollout/rollout-record.ts';

/** The runs and rollouts of a state, as its audit log covers them. */
export function coveredState({
  sealsOf,
  runIds,
  rollouts,
}: Pick<State, 'sealsOf' | 'runIds' | 'rollouts'>): CoveredStore {
  return {
    kinds: ['run-start', 'run', 'rollout'],
    async digestsOf(wanted) {
      const digests = new Map<string, string>();
      const started = wanted.get('run-start') ?? [];
      const ended = wanted.get('run') ?? [];
      const seals = await sealsOf([...started, ...ended]);
      if (!seals.ok) return seals;
      for (const [id, { start, whole }] of seals.value) {
        digests.set(coverKey('run-start', id), start);
        digests.set(coverKey('run', id), whole);
      }
      for (const id of wanted.get('rollout') ?? []) {
        const sealed = await sealStoredRollout(rollouts, id);
        if (!sealed.ok) return sealed;
        if (sealed.value !== null) digests.set(coverKey('rollout', id), sealed.value);
      }
      return ok(digests);
    },
    async present(recent) {
      const ids = await runIds();
      if (!ids.ok) return ids;
      const since = runIdAfter(recent);
      const until = runIdAfter(recent + 2 * coverWithinMs);
      return ok(ids.value.filter((id) => id < since || id > until).map((id) => coverKey('run', id)));
    },
  };
}

/** The content that the record of a rollout's start covers: its head, which has the checksum of each plan. */
export function coverRollout(head: RolloutHead): Covers {
  return { [coverKey('rollout', head.rollout_id)]: sealRollout(head) };
}

function sealRollout(head: RolloutHead): string {
  return sealRun([head]).start;
}

/** Null if there is no such rollout. The digest differs if one of its plans is not the one in its head. */
async function sealStoredRollout(rollouts: State['rollouts'], id: string): Promise<Result<string | null>> {
  const log = await rollouts.read(id);
  if (!log.ok || log.value === null) return log.ok ? ok(null) : failed(...log.problems);
  const { head } = log.value;
  for (const { account, plan_checksum: checksum } of head.accounts) {
    const text = await rollouts.readPlan(id, account);
    if (!text.ok) return text;
    const plan = text.value === null ? undefined : readPlan(text.value, account);
    if (plan?.ok !== true || planChecksum(plan.value) !== checksum)
      return ok(`the plan of ${account} differs`);
  }
  return ok(sealRollout(head));
}
