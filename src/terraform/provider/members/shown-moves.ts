import { firstFew } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** The hosts that join and leave a group, with a text for each. */
export interface Moves {
  readonly joins: Readonly<Record<string, string>>;
  readonly evicts: Readonly<Record<string, string>>;
}

/** The hosts that move are not as the approved plan showed them. */
export function movesChanged(before: Moves, now: Moves): Problem | undefined {
  const hosts = changedHosts(before, now);
  if (hosts.length === 0) return undefined;
  return problem(
    'stale-plan',
    `someone else has changed hosts since the plan, and the moves of ${hosts.length === 1 ? 'host' : 'hosts'} ${firstFew(hosts, mostListed)} are not as it showed them`,
    { hint: 'nothing was sent for this group. Plan again, and apply that plan', hostIds: hosts },
  );
}

const mostListed = 20;

function changedHosts(before: Moves, now: Moves): readonly HostId[] {
  const texts = (moves: Moves) => new Map(Object.entries({ ...moves.evicts, ...moves.joins }));
  const [one, other] = [texts(before), texts(now)];
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((id) => one.get(id) !== other.get(id)) as HostId[];
}
