import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostsOf, type Observed, type ObservedHost, observe } from '../../../src/core/model/observed.ts';
import type { StepOutcome } from '../../../src/core/model/run-event.ts';
import type { StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import type { Step } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { changedByOthers, leftFleet } from '../../../src/run/apply/left-fleet.ts';
import { type GivenHost, givenFleet } from '../../given/fleet.ts';
import { antivirusStep, deleteStep, moveStep, renameStep } from '../../given/steps.ts';

const before = givenFleet(
  [
    { id: 1, name: 'H1', antivirus: 'missing' },
    { id: 2, name: 'H2' },
  ],
  { 10: 'Berlin' },
);
const cause = problem('conflict', 'given');

/** Each host after the run: its name, and its group if it has one. */
function left(step: Step, outcome: StepOutcome, failed: readonly string[] = []): readonly string[] {
  const failedHosts = failed.map((hostId) => ({ hostId, problem: cause }));
  return hostsOf(leftFleet(before, [{ step, outcome, failedHosts }])).map(
    ({ name, groupId, antivirus }) =>
      `${name}${groupId === '-1' ? '' : ` in ${groupId}`}${antivirus?.installed === true ? ' protected' : ''}`,
  );
}

const move = moveStep('s1', [1, 2], 10);
const unchanged = ['H1', 'H2'];

describe('the fleet as a run left it', () => {
  it.each(['done', 'already'] as const)('has the whole of a step that is %s', (outcome) => {
    expect(left(move, outcome)).toEqual(['H1 in 10', 'H2 in 10']);
    expect(left(renameStep('s1', { id: 1 }, 'X'), outcome)).toEqual(['X', 'H2']);
    expect(left(deleteStep('s1', [1]), outcome)).toEqual(['H2']);
  });
  it.each(['failed', 'unknown'] as const)(
    'contains the other hosts of a batch that is %s for some hosts, and no host if none is reported',
    (outcome) => {
      expect(left(move, outcome, ['1'])).toEqual(['H1', 'H2 in 10']);
      expect(left(move, outcome)).toEqual(unchanged);
    },
  );
  it.each(['skipped', 'not-started'] as const)('contains no effect of a step that is %s', (outcome) => {
    expect(left(move, outcome, ['1'])).toEqual(unchanged);
  });
  it("contains no install, because the service's acceptance proves nothing about the host", () => {
    expect(left(antivirusStep('s1', [1]), 'done')).toEqual(unchanged);
  });
});

type Act =
  | { readonly kind: 'hand' | 'run' | 'failed run'; readonly id: number; readonly name: string }
  | { readonly kind: 'deleted by hand' | 'deleted by a run'; readonly id: number }
  | { readonly kind: 'other run' };

const id = fc.integer({ min: 1, max: 4 });
const name = fc.constantFrom('A', 'B', 'C');
const act: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('hand' as const, 'run' as const, 'failed run' as const), id, name }),
  fc.record({ kind: fc.constantFrom('deleted by hand' as const, 'deleted by a run' as const), id }),
  fc.constant({ kind: 'other run' } as const),
);

describe('changes by others between runs', () => {
  it('are kept since the last run that set the value, until the host has it again', () => {
    fc.assert(
      fc.property(fc.array(act, { maxLength: 20 }), (acts) => {
        const live = new Map([1, 2, 3].map((each) => [String(each), 'A']));
        const set = new Map(live);
        const fleet = () => givenFleet([...live].map(([each, named]) => ({ id: each, name: named })));
        let saved: { observed: Observed; earlier: readonly ObservedHost[] } = {
          observed: fleet(),
          earlier: [],
        };
        for (const given of acts) {
          const host = 'id' in given ? String(given.id) : '';
          const steps: StepSummary[] = [];
          const doing = (step: Step, outcome: StepOutcome) =>
            steps.push({
              step,
              outcome,
              failedHosts: outcome === 'failed' ? [{ hostId: host, problem: cause }] : [],
            });
          if (given.kind === 'hand') live.set(host, given.name);
          else if (given.kind === 'deleted by hand') live.delete(host);
          else if (given.kind === 'run' && live.has(host)) {
            doing(renameStep('s1', { id: given.id }, given.name), 'done');
            live.set(host, given.name);
            set.set(host, given.name);
          } else if (given.kind === 'failed run')
            doing(renameStep('s1', { id: given.id }, given.name), 'failed');
          else if (given.kind === 'deleted by a run') {
            doing(deleteStep('s1', [given.id]), 'done');
            live.delete(host);
            set.delete(host);
          }
          if (given.kind === 'hand' || given.kind === 'deleted by hand') continue;
          const observed = fleet();
          saved = { observed, earlier: changedByOthers(saved, observed, steps) };
          for (const [each, named] of live) if (!set.has(each)) set.set(each, named);
          const differing = [...set].filter(([each, named]) => live.get(each) !== named);
          expect(new Map(saved.earlier.map((each) => [each.id as string, each.name]))).toEqual(
            new Map(differing),
          );
        }
      }),
    );
  });

  it('are forgotten for deleted hosts first, if there are very many', () => {
    const fleetOf = (ids: readonly number[]) =>
      givenFleet(ids.map((each) => ({ id: each, name: `H${each}` })));
    const first = Array.from({ length: 6_000 }, (_, index) => index + 1);
    const second = Array.from({ length: 6_000 }, (_, index) => index + 10_001);
    const start = { observed: fleetOf([...first, 9_999]), earlier: [] };
    const between = fleetOf([9_999, ...second]);
    const earlier = changedByOthers(start, between, []);
    expect(earlier).toHaveLength(6_000);
    const last = givenFleet([{ id: 9_999, name: 'by hand' }]);
    const kept = changedByOthers({ observed: between, earlier }, last, []).map((host) => host.id as string);
    expect(kept).toHaveLength(10_001);
    expect([kept[0], kept.includes('9999'), kept.at(-1)]).toEqual(['2001', true, '16000']);
  });

  it.each([
    ['its group', { id: 1, name: 'A', group: 10 }, true],
    ['its anti-virus', { id: 1, name: 'A', antivirus: 'missing' }, true],
    ['whether it is online', { id: 1, name: 'A', antivirus: 'installed', online: false }, false],
    ['nothing, in a list without anti-virus', { id: 1, name: 'A' }, false],
  ] as const)('of a host may be %s', (_, now, isKept) => {
    const lists = [{ list: 'antivirus-details', at: '2026-11-21T09:00:00Z' }] as const;
    const listed = (host: GivenHost) =>
      observe({ ...givenFleet([]), lists, hosts: hostsOf(givenFleet([host])) });
    const was = { observed: listed({ id: 1, name: 'A', antivirus: 'installed' }) };
    expect(changedByOthers(was, listed(now), []).map(({ antivirus }) => antivirus?.installed)).toEqual(
      isKept ? [true] : [],
    );
  });
});
