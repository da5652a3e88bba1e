import type { Desired } from '../../../core/model/desired.ts';
import { allowance, changeKinds, type Limit, type LimitName } from '../../../core/model/policy.ts';
import { changeNouns } from '../../../core/plan/guards/guard.ts';
import type { Plan } from '../../../core/plan/types/plan.ts';
import type { Place } from '../../../core/problem/problem.ts';

/** A limit as the page of an account lists it, together with its policies. */
export interface LimitInForce {
  readonly kind: 'limit';
  readonly title: string;
  /** Absent if no file sets it. */
  readonly place?: { readonly file: string; readonly line: number; readonly column: number };
  /** The planned changes, if they exceed it; else 0. */
  readonly acted: number;
}

const nouns: Readonly<Record<LimitName, string>> = { ...changeNouns, missing: 'missing hosts' };

/**
 * The limits of a fleet of this size, and those of its groups. A limit that lets a plan change every host, and that no file
 * sets, is left out.
 */
export function limitsInForce(
  { limits, limitPlaces = {}, policy }: Pick<Desired, 'limits' | 'limitPlaces' | 'policy'>,
  { breaches }: Pick<Plan, 'breaches'>,
  hosts: number,
): readonly LimitInForce[] {
  const exceeding = (name: LimitName, group?: string) =>
    breaches.find((breach) => breach.limit === name && breach.group === group)?.count ?? 0;
  const names = Object.keys(nouns) as readonly LimitName[];
  return [
    ...names
      .filter((name) => limitPlaces[name] !== undefined || allowance(limits[name], hosts) < hosts)
      .map((name) =>
        inForce(`at most ${amount(limits[name], hosts)} ${nouns[name]}`, limitPlaces[name], exceeding(name)),
      ),
    ...policy.groups.flatMap(({ group, limits: own, place }) => {
      const name = group.kind === 'named' ? group.name : group.kind === 'id' ? group.id : '-1';
      const shown = group.kind === 'ungrouped' ? 'no group' : name;
      return changeKinds.flatMap((kind) => {
        const limit = own[kind];
        if (limit === undefined) return [];
        return [inForce(`at most ${amount(limit)} ${nouns[kind]} in ${shown}`, place, exceeding(kind, name))];
      });
    }),
  ];
}

/** `3`, `10%`, or `10% (3)` of a known number of hosts. */
function amount(limit: Limit, hosts?: number): string {
  if (limit.kind === 'count') return String(limit.count);
  return hosts === undefined ? `${limit.percent}%` : `${limit.percent}% (${allowance(limit, hosts)})`;
}

function inForce(title: string, place: Place | undefined, acted: number): LimitInForce {
  return {
    kind: 'limit',
    title,
    ...(place === undefined ? {} : { place: { file: place.file, line: place.line, column: place.col } }),
    acted,
  };
}
