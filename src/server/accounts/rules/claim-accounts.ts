import { firstFew } from '../../../core/lib/words.ts';
import { ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { type Rollout, rolloutOf } from '../../../run/state/rollout/rollout.ts';
import type { Store } from '../../store/open-store.ts';

const mostNamed = 20;

/**
 * Gives accounts to a rollout, inside the transaction that lets it begin or go on. Refused if another rollout may still
 * change one of them.
 */
export async function claimAccounts(
  rollout: string,
  accounts: readonly string[],
  { rolloutAccounts, rollouts }: Pick<Store, 'rolloutAccounts' | 'rollouts'>,
): Promise<Problem | undefined> {
  const known = new Map<string, Result<Rollout | null>>();
  const find = async (id: string): Promise<Result<Rollout | null>> => {
    const found = known.get(id);
    if (found !== undefined) return found;
    const log = await rollouts.read(id);
    const read = log.ok ? ok(log.value === null ? null : rolloutOf(log.value)) : log;
    known.set(id, read);
    return read;
  };
  // A record that can't be read, such as that of a newer server, may be of a rollout that is running.
  const kept = await rolloutAccounts.claim(rollout, accounts, async (other) => {
    const found = await find(other.rollout);
    return found.ok && (found.value === null || !mayChange(found.value, other.account));
  });
  const [first] = kept;
  if (first === undefined) return undefined;
  const names = kept.filter((each) => each.rollout === first.rollout).map(({ account }) => account);
  return problem('conflict', `the rollout ${first.rollout} is changing: ${firstFew(names, mostNamed)}`, {
    hint: `wait for the end of ${first.rollout}, stop or abort it, or leave these accounts out`,
  });
}

/** Those of the accounts that a rollout may still change. Their plans wait for their wave, whoever approved them. */
export async function inRollouts(
  accounts: readonly string[],
  { rolloutAccounts, rollouts }: Pick<Store, 'rolloutAccounts' | 'rollouts'>,
): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  const holders = await rolloutAccounts.holders(accounts);
  for (const [holder, claimed] of Map.groupBy(holders, ([, rollout]) => rollout)) {
    const log = await rollouts.read(holder);
    const rollout = log.ok && log.value !== null ? rolloutOf(log.value) : null;
    for (const [name] of claimed)
      if (!log.ok || (rollout !== null && mayChange(rollout, name))) held.add(name);
  }
  return held;
}

/** A rollout that has stopped ends the accounts that it has begun, and starts no other one. */
function mayChange({ state, accounts }: Rollout, name: string): boolean {
  const status = accounts.get(name)?.status;
  return status === 'running' || (state === 'running' && status === 'pending');
}
