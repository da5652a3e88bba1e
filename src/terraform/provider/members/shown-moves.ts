import type { HostId } from '../../../core/model/host-id.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { ShownPlan } from '../../fleet/approved-plans.ts';
import type { MembersState } from './members-values.ts';

type Moves = Pick<MembersState, 'joins' | 'evicts'>;

type Intent = Pick<MembersState, 'id' | 'host_ids' | 'mode'>;

/** What a plan shows of the hosts that it moves into and out of a group. */
export function shownMoves({ id, host_ids, mode }: Intent, { joins, evicts }: Moves): ShownPlan {
  return {
    resource: `rampart_group_members ${JSON.stringify([id, host_ids.toSorted(), mode])}`,
    shown: JSON.stringify({ joins: inOrder(joins), evicts: inOrder(evicts) }),
  };
}

/** Terraform sorts a map. */
function inOrder(moves: Moves['joins']): readonly (readonly [string, string])[] {
  return Object.entries(moves).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The hosts that move are not as the approved plan showed them. */
export function movesChanged(approved: ShownPlan, now: Moves): Problem {
  const { joins, evicts } = JSON.parse(approved.shown) as Record<keyof Moves, [string, string][]>;
  const before = { joins: Object.fromEntries(joins), evicts: Object.fromEntries(evicts) };
  const hosts = changedHosts(before, now);
  return problem(
    'stale-plan',
    `someone else has changed hosts since the plan, and the moves of ${hosts.length === 1 ? 'host' : 'hosts'} ${hosts.slice(0, mostListed).join(', ')}${hosts.length > mostListed ? ` and ${hosts.length - mostListed} more` : ''} are not as it showed them`,
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
