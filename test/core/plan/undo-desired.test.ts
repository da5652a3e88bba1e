import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../../src/core/model/observed.ts';
import { makePlan } from '../../../src/core/plan/make-plan.ts';
import { predict } from '../../../src/core/plan/ordering/predict.ts';
import { type HostHistory, undoDesired } from '../../../src/core/plan/undo/undo-desired.ts';
import { hostHistories } from '../../../src/run/state/journal/host-histories.ts';
import { changesOfStep } from '../../../src/run/state/journal/record.ts';
import { givenGroups, reorganizations } from '../../given/arbitrary-fleet.ts';
import { givenDesired, noLimits } from '../../given/desired.ts';
import { at, givenFleet, groupId, hostId } from '../../given/fleet.ts';

const account = { companyId: '1', service: 'emulator' };
const history = (id: number, parts: Partial<HostHistory>): HostHistory => ({
  hostId: hostId(id),
  names: [],
  groups: [],
  irreversible: [],
  ...parts,
});

describe('undoing a run', () => {
  it('restores every host that was not deleted, in any reorganization', () => {
    fc.assert(
      fc.property(reorganizations, ({ hosts, entries }) => {
        const before = givenFleet(hosts, givenGroups);
        const plan = makePlan({
          desired: givenDesired(entries, noLimits),
          observed: before,
          account,
          now: at,
        });
        const after = predict(before, plan.steps);
        const steps = plan.steps.map((step) => ({
          begin: { type: 'begin' as const, at, step: step.id, kind: step.kind, changes: changesOfStep(step) },
          outcome: 'done' as const,
          failedHostIds: new Set<string>(),
          isInDoubt: () => false,
        }));
        const replayed = {
          runId: 'r',
          startedAt: at,
          state: 'completed' as const,
          exitCode: 0,
          planned: steps.length,
          steps,
        };
        const { desired } = undoDesired('r', hostHistories(replayed), after);
        const back = makePlan({
          desired: { ...desired, limits: { ...desired.limits, ...noLimits } },
          observed: after,
          account,
          now: at,
        });
        expect(back.problems.filter((each) => each.severity === 'error')).toEqual([]);
        const restored = predict(after, back.steps);
        const survivors = hostsOf(before).filter((host) => restored.byId(host.id) !== undefined);
        expect(survivors.map(({ id }) => restored.byId(id))).toEqual(survivors);
      }),
      { numRuns: 60 },
    );
  });

  const fleet = givenFleet(
    [
      { id: 1, name: 'Z', group: 10 },
      { id: 2, name: 'B' },
    ],
    givenGroups,
  );
  const cases: readonly [string, HostHistory, readonly string[], object][] = [
    [
      'a host that someone has renamed since keeps its name',
      history(1, { names: ['A', 'B'] }),
      ['changed-since'],
      {},
    ],
    [
      'a host that someone has moved since stays',
      history(1, { groups: [groupId(-1), groupId(11)] }),
      ['changed-since'],
      {},
    ],
    [
      'a host that had no name keeps the one it has',
      history(2, { names: [null, 'B'] }),
      ['changed-since'],
      {},
    ],
    ['a host that is gone is said', history(9, { names: ['A', 'B'] }), ['changed-since'], {}],
    [
      'a host that the run left half-way goes back too',
      history(2, { names: ['A', 'B', 'C'] }),
      [],
      { name: 'A' },
    ],
  ];
  it.each(cases)('%s', (_, given, codes, entry) => {
    const { desired, problems } = undoDesired('r', [given], fleet);
    expect(problems.map((each) => each.code)).toEqual(codes);
    if (desired.count > 0) expect(desired.at(0)).toMatchObject(entry);
    if (!('name' in entry) && desired.count > 0) expect(desired.at(0).name).toBeUndefined();
  });
  it("lists changes that can't be undone", () => {
    const { desired, problems } = undoDesired(
      'r',
      [history(7, { irreversible: ['delete'] }), history(2, { irreversible: ['antivirus'] })],
      fleet,
    );
    expect([desired.count, problems.map((each) => each.code)]).toEqual([0, ['irreversible', 'irreversible']]);
  });
});
