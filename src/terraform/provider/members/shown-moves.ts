import type { HostId } from '../../../core/model/host-id.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import type { ShownPlan } from '../../fleet/approved-plans.ts';
import type { MembersState } from './members-values.ts';

type Moves = Pick<MembersState, 'joins' | 'evicts'>;

type Intent = Pick<MembersState, 'id' | 'host_ids' | 'mode'>;

/** What a plan shows of the hosts that it moves into and out of a group. */
export function shownMoves({ id, host_ids, mode }: Intent, { joins, evicts }: Moves): ShownPlan {
  const moves: Moves = {
    joins: joins.map(({ host_id, name, from }) => ({ host_id, name, from })),
    evicts: evicts.map(({ host_id, name }) => ({ host_id, name })),
  };
  return {
    resource: `rampart_group_members ${JSON.stringify([id, host_ids.toSorted(), mode])}`,
    shown: JSON.stringify(moves),
  };
}

/** The hosts that move are not as the approved plan showed them. */
export function movesChanged(approved: ShownPlan, now: Moves): Problem {
  const before = JSON.parse(approved.shown) as Moves;
  const hosts = changedHosts(before, now);
  return problem(
    'stale-plan',
    `someone else has changed hosts since the plan, and the moves of ${hosts.length === 1 ? 'host' : 'hosts'} ${hosts.slice(0, mostListed).join(', ')}${hosts.length > mostListed ? ` and ${hosts.length - mostListed} more` : ''} are not as it showed them`,
    { hint: 'nothing was sent for this group. Plan again, and apply that plan', hostIds: hosts },
  );
}

const mostListed = 20;

function changedHosts(before: Moves, now: Moves): readonly HostId[] {
  const texts = (moves: Moves) =>
    new Map([...moves.joins, ...moves.evicts].map((each) => [each.host_id, JSON.stringify(each)]));
  const [one, other] = [texts(before), texts(now)];
  const all = new Set([...one.keys(), ...other.keys()]);
  return [...all].filter((id) => one.get(id) !== other.get(id)) as HostId[];
}
