import { describe, expect, it } from 'vitest';
import { temporaryName } from '../../../../src/core/model/temporary-name.ts';
import { collectTransitions, isNameOf, isOnTheWay } from '../../../../src/core/plan/ordering/transition.ts';
import { groupId, hostId } from '../../../given/fleet.ts';
import {
  antivirusStep,
  deleteStep,
  moveStep,
  refreshStep,
  renameStep,
  temporaryRenameStep,
} from '../../../given/steps.ts';

const free = { taken: new Set<string>() };
const cut = (kind: 'rename' | 'deletion', id: number, name: string) =>
  temporaryName(kind, hostId(id), name, { ...free, maxLength: name.length + 16 });
const longName = 'A-RATHER-LONG-NAME-OF-A-HOST';

describe('the transition of a host', () => {
  it("holds each of the host's steps, by kind", () => {
    const move = moveStep('s2', [1], 10);
    const transitions = collectTransitions([
      renameStep('s1', { id: 1 }, 'X'),
      move,
      antivirusStep('s3', [1]),
      refreshStep('s4', [1]),
      deleteStep('s5', [2]),
    ]);
    expect(transitions.get(hostId(1))).toMatchObject({
      nameSteps: [{ id: 's1' }],
      moveTo: { id: 's2', groupId: groupId(10), step: move },
      installs: 's3',
      refreshes: 's4',
    });
    expect(transitions.get(hostId(1))?.deletes).toBeUndefined();
    expect(transitions.get(hostId(2))).toMatchObject({ nameSteps: [], deletes: 's5' });
    expect(transitions.get(hostId(2))?.refreshes).toBeUndefined();
  });
});

describe('the name that a step gives', () => {
  it.each([
    ['cycle', 'rename', 'deletion'],
    ['deletion', 'deletion', 'rename'],
  ] as const)('of a temporary rename for a %s may be shortened', (why, kind, otherKind) => {
    const step = temporaryRenameStep('s1', { id: 1, name: 'A' }, longName, why);
    const given = cut(kind, 1, `${longName}`);
    expect([isNameOf(step, step.to), isNameOf(step, given)]).toEqual([true, true]);
    const shorter = temporaryName(kind, hostId(1), longName, { ...free, maxLength: 30 });
    expect([shorter === step.to, isNameOf(step, shorter)]).toEqual([false, true]);
    expect(isNameOf(step, temporaryName(otherKind, hostId(1), longName, free))).toBe(false);
    expect(isNameOf(step, temporaryName(kind, hostId(2), longName, free))).toBe(false);
    expect(isNameOf(step, 'A')).toBe(false);
  });
});

describe('a name during a transition', () => {
  const [transition] = collectTransitions([renameStep('s1', { id: 1, name: 'A' }, 'B')]).values();
  const isOn = (name: string | null) => transition !== undefined && isOnTheWay(transition, name);

  it('is the name before, the name after, or the temporary name for it', () => {
    expect([isOn('A'), isOn('B'), isOn(temporaryName('rename', hostId(1), 'B', free))]).toEqual([
      true,
      true,
      true,
    ]);
  });
  it('is any name of its steps, and no temporary name for a temporary name', () => {
    const steps = [
      temporaryRenameStep('s1', { id: 1, name: 'A' }, 'B', 'cycle'),
      renameStep('s2', { id: 1, name: 'A' }, 'B'),
    ] as const;
    const [ring] = collectTransitions(steps).values();
    const isOnRing = (name: string) => ring !== undefined && isOnTheWay(ring, name);
    const longer = temporaryName('rename', hostId(1), 'B', { taken: new Set([steps[0].to.toLowerCase()]) });
    expect(['A', steps[0].to, longer, 'B', 'C'].map(isOnRing)).toEqual([true, true, true, true, false]);
    expect(isOnRing(temporaryName('rename', hostId(1), steps[0].to, free))).toBe(false);
  });
});
