import { allowance, type LimitName, type Limits } from '../../model/policy.ts';
import { hasErrors, type Place, type Problem, problem } from '../../problem/problem.ts';
import type { AckKind, Acks, Breach, Plan, PlannedLimit, Summary } from '../types/plan.ts';
import { type MissingHostsInputs, missingHosts } from './missing-hosts.ts';

const ackKinds: readonly AckKind[] = ['delete', 'rename', 'move', 'antivirus'];

/** For "12 renames are planned". */
export const changeNouns: Readonly<Record<AckKind, string>> = {
  delete: 'deletions',
  rename: 'renames',
  move: 'moves',
  antivirus: 'anti-virus installs',
};

/** One change of this kind, as `count` needs it: `deletion`. */
export const oneChange = (kind: AckKind): string => changeNouns[kind].slice(0, -1);

export interface Guarded {
  readonly limits: readonly PlannedLimit[];
  readonly breaches: readonly Breach[];
  readonly problems: readonly Problem[];
}

export interface GuardInputs extends Omit<MissingHostsInputs, 'deletes'> {
  readonly limits: Limits;
  readonly limitPlaces?: Readonly<Partial<Record<LimitName, Place>>> | undefined;
  readonly acks: Acks;
  readonly summary: Pick<Summary, AckKind>;
}

/** Compares a plan's counts with the limits. An approval applies to the exact count only. */
export function guard(inputs: GuardInputs): Guarded {
  const breaches = limitBreaches(inputs);
  const limits = ackKinds.map((limit) => ({
    limit,
    allowed: allowance(inputs.limits[limit], inputs.fleetSize),
  }));
  const absences = missingHosts({ ...inputs, deletes: inputs.summary.delete > 0 });
  return {
    limits,
    breaches: [...breaches, ...absences.map(({ breach }) => breach)],
    problems: [
      ...ackProblems(inputs),
      ...breaches.flatMap(breachProblem),
      ...absences.map((each) => each.problem),
    ],
  };
}

interface LimitInputs extends Pick<GuardInputs, 'limitPlaces' | 'acks' | 'summary' | 'fleetSize'> {
  readonly limits: Partial<Limits>;
}

/** The counts that exceed a limit. */
export function limitBreaches(inputs: LimitInputs): readonly Breach[] {
  return ackKinds.flatMap((kind) => {
    const limit = inputs.limits[kind];
    const count = inputs.summary[kind];
    if (limit === undefined) return [];
    const allowed = allowance(limit, inputs.fleetSize);
    if (count <= allowed) return [];
    const place = inputs.limitPlaces?.[kind];
    const acknowledged = inputs.acks[kind] === count;
    return [{ limit: kind, ...(place === undefined ? {} : { place }), count, allowed, acknowledged }];
  });
}

/** The same plan with the approvals given now, which replace earlier approvals for the same kinds. */
export function acknowledge(plan: Plan, acks: Acks): Plan {
  const merged = { ...plan.acks, ...acks };
  const breaches = plan.breaches.map((breach) => ({
    ...breach,
    acknowledged:
      breach.group === undefined && isAckKind(breach.limit) && merged[breach.limit] === breach.count,
  }));
  const settled = new Set(['limit-exceeded', 'ack-mismatch']);
  const problems = [
    ...plan.problems.filter((each) => !settled.has(each.code)),
    ...ackProblems({ acks: merged, summary: plan.summary }),
    ...breaches.flatMap(breachProblem),
  ];
  return {
    ...plan,
    acks: merged,
    breaches,
    problems,
    applicable: !hasErrors(problems),
  };
}

function ackProblems({ acks, summary }: Pick<GuardInputs, 'acks' | 'summary'>): readonly Problem[] {
  return ackKinds.flatMap((kind) => {
    const named = acks[kind];
    if (named === undefined || named === summary[kind]) return [];
    return [
      problem(
        'ack-mismatch',
        `--ack ${kind}=${named} does not match: the plan has ${summary[kind]} ${changeNouns[kind]}`,
        {
          hint: 'review the plan again before you approve another number',
        },
      ),
    ];
  });
}

/** A limit breach that `--ack` can lift. */
export function breachProblem({
  limit,
  group,
  place,
  count,
  allowed,
  acknowledged,
}: Breach): readonly Problem[] {
  if (acknowledged || group !== undefined || !isAckKind(limit)) return [];
  return [
    problem('limit-exceeded', `${countWords(count, limit)} planned, but the limit is ${allowed}`, {
      ...(place === undefined ? {} : { place }),
      hint: `review each of them, then approve them with --ack ${limit}=${count}`,
      policy: `limits.${limit}`,
    }),
  ];
}

/** `1 deletion is`, `12 renames are`. */
export function countWords(count: number, kind: AckKind): string {
  return count === 1 ? `1 ${oneChange(kind)} is` : `${count} ${changeNouns[kind]} are`;
}

function isAckKind(limit: LimitName): limit is AckKind {
  return limit !== 'missing';
}
