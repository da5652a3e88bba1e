import type { Limit, LimitName, Limits } from '../../model/desired.ts';
import type { Place } from '../../problem/place.ts';
import { type Problem, problem } from '../../problem/problem.ts';
import type { AckKind, Acks, Breach, Plan, Summary } from '../plan.ts';

const ackKinds: readonly AckKind[] = ['delete', 'rename', 'move', 'antivirus'];

/** For "12 renames are planned". */
export const changeNouns: Readonly<Record<AckKind, string>> = {
  delete: 'deletions',
  rename: 'renames',
  move: 'moves',
  antivirus: 'anti-virus installs',
};

export interface Guarded {
  readonly breaches: readonly Breach[];
  readonly problems: readonly Problem[];
}

export interface GuardInputs {
  readonly limits: Limits;
  readonly limitPlaces?: Readonly<Partial<Record<LimitName, Place>>>;
  readonly acks: Acks;
  readonly summary: Pick<Summary, AckKind>;
  readonly fleetSize: number;
  readonly pinned: { readonly entries: number; readonly missing: number };
  /** How many hosts the last run left behind; absent where no run is known. */
  readonly lastFleetSize?: number;
}

/** Holds a plan's counts against the limits; consent names the exact count, and never more. */
export function guard(inputs: GuardInputs): Guarded {
  const breaches: Breach[] = [];
  for (const kind of ackKinds) {
    const count = inputs.summary[kind];
    const allowed = allowance(inputs.limits[kind], inputs.fleetSize);
    if (count > allowed) {
      const place = inputs.limitPlaces?.[kind];
      const acknowledged = inputs.acks[kind] === count;
      breaches.push({
        limit: kind,
        ...(place === undefined ? {} : { place }),
        count,
        allowed,
        acknowledged,
      });
    }
  }
  const absences = inputs.summary.delete === 0 ? [] : missingHosts(inputs);
  return {
    breaches: [...breaches, ...absences.map(({ breach }) => breach)],
    problems: [
      ...ackProblems(inputs),
      ...breaches.flatMap(breachProblem),
      ...absences.map(({ message, breach }) => missingProblem(message, breach)),
    ],
  };
}

interface Absence {
  readonly breach: Breach;
  readonly message: string;
}

/** A list that is cut short looks like hosts that are gone: by the ids that the file pins, and by the last run. */
function missingHosts({ limits, pinned, lastFleetSize, fleetSize }: GuardInputs): readonly Absence[] {
  const checks = [
    {
      total: pinned.entries,
      missing: pinned.missing,
      message: (share: number) => `${share} % of the hosts that the file pins by id are not in the list`,
    },
    {
      total: lastFleetSize ?? 0,
      missing: Math.max(0, (lastFleetSize ?? 0) - fleetSize),
      message: (share: number) => `the list is ${share} % shorter than the last run left it`,
    },
  ];
  return checks.flatMap(({ total, missing, message }) => {
    const allowed = allowance(limits.missing, total);
    if (missing <= allowed) return [];
    const breach: Breach = { limit: 'missing', count: missing, allowed, acknowledged: false };
    return [{ breach, message: `${message(Math.round((100 * missing) / total))}: deletions refused` }];
  });
}

function missingProblem(message: string, { count, allowed }: Breach): Problem {
  return problem('hosts-missing', message, {
    hint: `${count} are missing and ${allowed} may be: see policy.limits.missing`,
    policy: 'limits.missing',
  });
}

/** The same plan under the consent given now, which replaces what was given before for the same kinds. */
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
    applicable: !problems.some((each) => each.severity === 'error'),
  };
}

/** A share is rounded down, and never below one host; a share of nothing is nothing. */
export function allowance(limit: Limit, total: number): number {
  if (limit.kind === 'share' && limit.percent === 0) return 0;
  return limit.kind === 'count' ? limit.count : Math.max(1, Math.floor((limit.percent * total) / 100));
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
          hint: 'look at the plan again before you agree to another number',
        },
      ),
    ];
  });
}

/** A breach of what `--ack` can lift. */
function breachProblem({ limit, group, place, count, allowed, acknowledged }: Breach): readonly Problem[] {
  if (acknowledged || group !== undefined || !isAckKind(limit)) return [];
  return [
    problem('limit-exceeded', `${saidOf(count, limit)} planned and ${allowed} allowed`, {
      ...(place === undefined ? {} : { place }),
      hint: `look at each of them, then agree with --ack ${limit}=${count}`,
      policy: `limits.${limit}`,
    }),
  ];
}

/** `1 deletion is`, `12 renames are`. */
function saidOf(count: number, kind: AckKind): string {
  const nouns = changeNouns[kind];
  return count === 1 ? `1 ${nouns.slice(0, -1)} is` : `${count} ${nouns} are`;
}

function isAckKind(limit: LimitName): limit is AckKind {
  return limit !== 'missing';
}
