import { describe, expect, it } from 'vitest';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import type { StepSummary } from '../../../src/core/plan/types/run-summary.ts';
import type { Step, StepId } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { changesOf, endsOf } from '../../../src/terraform/fleet/fleet-changes.ts';
import { givenFleet, groupId, hostId } from '../../given/fleet.ts';

const fleet = givenFleet(
  [
    { id: 1, name: 'h1', group: 10 },
    { id: 2, name: 'h2' },
  ],
  { 10: 'Berlin', 11: 'Munich' },
);
const reason = { file: 'fleet.yaml', line: 3, col: 1 };
const member = (id: number) => {
  const host = fleet.byId(hostId(id));
  if (host === undefined) throw new Error('no such host');
  const expects = { hostId: host.id, name: host.name, groupId: host.groupId };
  return { hostId: host.id, name: host.name, reason, expects, hazards: [] };
};
const base = (id: string) => ({ id: id as StepId, after: [], hazards: [], reason });
const rename = (id: string, more: object = {}) =>
  ({ ...base(id), kind: 'rename', ...member(1), from: 'temporary', to: 'new', ...more }) as Step;
const batch = (id: string, kind: 'antivirus' | 'refresh' | 'delete') =>
  ({ ...base(id), kind, hosts: [member(1), member(2)] }) as Step;
const move: Step = {
  ...base('m'),
  kind: 'move',
  groupId: groupId(11),
  groupName: 'Munich',
  hosts: [member(1), member(2)],
};
const planOf = (...steps: readonly Step[]) => ({ steps }) as unknown as Plan;

describe('the changes of a plan', () => {
  it('are a row for each host, with what it had and what it gets', () => {
    const changes = changesOf(planOf(rename('r'), move, batch('a', 'antivirus')), fleet);
    expect(changes).toEqual([
      { hostId: '1', name: 'h1', kind: 'rename', from: 'h1', to: 'new', reason: 'fleet.yaml:3' },
      { hostId: '1', name: 'h1', kind: 'move', from: 'Berlin', to: 'Munich', reason: 'fleet.yaml:3' },
      { hostId: '2', name: 'h2', kind: 'move', from: null, to: 'Munich', reason: 'fleet.yaml:3' },
      { hostId: '1', name: 'h1', kind: 'antivirus', from: null, to: null, reason: 'fleet.yaml:3' },
      { hostId: '2', name: 'h2', kind: 'antivirus', from: null, to: null, reason: 'fleet.yaml:3' },
    ]);
  });

  it.each(['refresh', 'delete'] as const)('of kind %s contain no value', (kind) => {
    expect(changesOf(planOf(batch('b', kind)), fleet)).toMatchObject([
      { hostId: '1', kind, from: null, to: null },
      { hostId: '2', kind, from: null, to: null },
    ]);
  });

  it('leave temporary renames out', () => {
    const temporary = { ...rename('t'), kind: 'temporary-rename' } as Step;
    expect(changesOf(planOf(temporary, rename('r')), fleet)).toHaveLength(1);
  });

  it.each([
    [{ file: 'terraform', line: 0, col: 0 }, 'terraform'],
    [{ file: 'fleet.yaml', line: 1, col: 1 }, 'fleet.yaml:1'],
    [{ file: 'fleet.yaml', line: 7, col: 1, rule: 'all' }, 'fleet.yaml:7 (rule all)'],
  ])('give the reason %j as %s', (given, text) => {
    expect(changesOf(planOf(rename('r', { reason: given })), fleet)[0]?.reason).toBe(text);
  });
});

describe('the ends of changes', () => {
  const cause = problem('antivirus-quota', 'the quota is reached');
  const own = problem('step-failed', 'the host is unknown');
  const summaryOf = (step: Step, more: Partial<StepSummary>): StepSummary => ({
    step,
    outcome: 'done',
    failedHosts: [],
    ...more,
  });
  const ends = (...summaries: readonly StepSummary[]) =>
    endsOf(planOf(move), fleet, summaries).map(({ hostId: id, outcome, problem: why }) => [
      id,
      outcome,
      why?.code ?? null,
    ]);

  it('of a step without a summary are not started', () => {
    expect(ends(summaryOf(rename('r'), {}))).toEqual([
      ['1', 'not-started', null],
      ['2', 'not-started', null],
    ]);
  });

  it('are those of the step', () => {
    const all = summaryOf(move, { outcome: 'failed', problem: cause });
    expect(ends(all)).toEqual([
      ['1', 'failed', 'antivirus-quota'],
      ['2', 'failed', 'antivirus-quota'],
    ]);
    expect(endsOf(planOf(move), fleet, [summaryOf(move, {})])[0]).not.toHaveProperty('problem');
  });

  it('of a batch that names the hosts that failed are done for the others', () => {
    const some = summaryOf(move, {
      outcome: 'failed',
      problem: cause,
      failedHosts: [{ hostId: '2', problem: own }],
    });
    expect(ends(some)).toEqual([
      ['1', 'done', null],
      ['2', 'failed', 'step-failed'],
    ]);
  });

  it('of a batch without a response are unknown for the hosts that it does not name, too', () => {
    const some = summaryOf(move, {
      outcome: 'unknown',
      problem: cause,
      failedHosts: [{ hostId: '2', problem: own }],
    });
    expect(ends(some)).toEqual([
      ['1', 'unknown', 'antivirus-quota'],
      ['2', 'unknown', 'step-failed'],
    ]);
  });
});
