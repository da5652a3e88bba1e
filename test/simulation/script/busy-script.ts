import type { DesiredHost, Script, TimedAct } from './script.ts';

const second = 1_000;
const minute = 60 * second;
const account = 'busy';

/**
 * A fleet that never rests: a host enrolls each minute, someone renames one of four hosts by hand every ten seconds, and a
 * person approves the plan of the moment every three minutes, because it is above the limit.
 */
export function busyScript(minutes: number): Script {
  const wanted = (id: number): DesiredHost => ({ id: String(id), name: `wanted-${id}` });
  const every = (ms: number, act: (at: number) => TimedAct['act']): readonly TimedAct[] =>
    Array.from({ length: Math.floor((minutes * minute) / ms) }, (_, n) => ({
      at: (n + 1) * ms,
      act: act(n),
    }));
  const acts: readonly TimedAct[] = [
    {
      at: second,
      act: {
        kind: 'commit',
        account,
        author: 'ada',
        hosts: [1, 2, 3, 4, 5, 6, 7, 8, ...Array.from({ length: minutes }, (_, n) => 200 + n)].map(wanted),
      },
    },
    ...every(minute, (n) => ({
      kind: 'edit',
      account,
      edit: { kind: 'enroll', host: { id: String(200 + n), name: `fresh-${n}` } },
    })),
    ...every(10 * second, (n) => ({
      kind: 'edit',
      account,
      edit: { kind: 'rename', id: String(1 + (n % 4)), name: `by-hand-${n}` },
    })),
    ...every(3 * minute, () => ({
      kind: 'decide',
      account,
      person: 'bob',
      decision: 'approved',
      afterMs: 20 * second,
    })),
  ];
  return {
    seed: 0,
    accounts: [{ name: account, mode: 'correct', hosts: 8, required: 1, notAuthor: true, mostRenames: 1 }],
    machines: 2,
    cadenceMs: 2 * minute,
    tickMs: 5 * second,
    latencyMs: 200,
    acts: acts.toSorted((a, b) => a.at - b.at),
    endsAt: minutes * minute,
  };
}
