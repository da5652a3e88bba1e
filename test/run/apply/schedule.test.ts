import { describe, expect, it } from 'vitest';
import type { Step, StepKind } from '../../../src/core/plan/types/step.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { createAdmission } from '../../../src/run/apply/admission.ts';
import { runSchedule } from '../../../src/run/apply/schedule.ts';
import type { StepResult } from '../../../src/run/apply/step-result.ts';
import { done, stepFailed } from '../../../src/run/apply/step-result.ts';
import { givenPlan } from '../../given/plan.ts';
import { deleteStep, moveStep, renameStep, temporaryRenameStep } from '../../given/steps.ts';

const hosts = [
  { id: 1, name: 'A' },
  { id: 2, name: 'B', antivirus: 'missing' },
  { id: 3, name: 'C' },
  { id: 4, name: 'D' },
] as const;
const entries = [
  { id: 1, name: 'X' },
  { id: 2, antivirus: true },
  { id: 3, ensure: 'absent' },
  { id: 4, group: { id: 10 } },
] as const;

/** The kinds of steps as they begin and end, where every step takes a turn of the event loop. */
async function order(deleteFirst: boolean, failing?: StepKind): Promise<readonly string[]> {
  const { steps } = givenPlan({ entries, hosts, groups: { 10: 'Berlin' }, options: { deleteFirst } });
  const log: string[] = [];
  const accounts = await runSchedule({
    // The order must not come from the plan.
    steps: steps.toReversed(),
    deleteFirst,
    stop: new AbortController().signal,
    admission: createAdmission(steps, {}, { now: () => 0, sleep: async () => {} }),
    async run({ kind }) {
      log.push(`${kind} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${kind} ends`);
      return kind === failing ? stepFailed(problem('step-failed', 'given')) : done;
    },
    onEnd: () => {},
  });
  expect(accounts).toHaveLength(4);
  return log;
}

const isBefore = (log: readonly string[], first: string, second: string) =>
  log.indexOf(first) !== -1 && log.indexOf(first) < log.indexOf(second);

describe('the order of steps', () => {
  it('begins installs after every rename and move has ended', async () => {
    const log = await order(false);
    for (const kind of ['rename', 'move'])
      expect(isBefore(log, `${kind} ends`, 'antivirus begins'), kind).toBe(true);
  });

  it('begins deletions first only if the plan says so, and installs last in both cases', async () => {
    const log = await order(true);
    for (const kind of ['rename', 'move', 'antivirus'])
      expect(isBefore(log, 'delete ends', `${kind} begins`), kind).toBe(true);
    for (const kind of ['rename', 'move'])
      expect(isBefore(log, `${kind} ends`, 'antivirus begins'), kind).toBe(true);
  });

  it('continues with deletions if an install failed that they do not wait for', async () => {
    const log = await order(false, 'antivirus');
    expect(isBefore(log, 'antivirus ends', 'delete begins')).toBe(true);
  });
});

/** Runs steps of any shape: which began, in order, how many at once at most, and what came of each. */
async function run(
  steps: readonly Step[],
  resultOf: (step: Step) => StepResult = () => done,
  maxCalls = Number.POSITIVE_INFINITY,
) {
  const begun: string[] = [];
  const ended: string[] = [];
  let running = 0;
  let most = 0;
  const summaries = await runSchedule({
    steps,
    deleteFirst: false,
    stop: new AbortController().signal,
    admission: createAdmission(steps, { maxCalls }, { now: () => 0, sleep: async () => {} }),
    async run(step) {
      begun.push(step.id);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return resultOf(step);
    },
    onEnd: ({ step, outcome }) => void ended.push(`${step.id} ${outcome}`),
  });
  return { begun, ended, most, problems: summaries.map((each) => each.problem?.message) };
}

const single = (index: number) => renameStep(`s${index}`, { id: index }, `N${index}`);
const failing =
  (...ids: readonly string[]) =>
  (step: Step) =>
    ids.includes(step.id) ? stepFailed(problem('step-failed', 'given')) : done;

describe('steps that may begin together', () => {
  it('begin with the longest chain, and then in the order of the plan', async () => {
    const { begun } = await run([
      single(1),
      single(2),
      renameStep('a1', { id: 11 }, 'A1'),
      renameStep('b1', { id: 21 }, 'B1'),
      renameStep('b2', { id: 22 }, 'B2', { after: ['b1'] }),
      single(3),
      renameStep('a2', { id: 12 }, 'A2', { after: ['a1'] }),
      renameStep('a3', { id: 13 }, 'A3', { after: ['a2'] }),
      single(4),
    ]);
    expect(begun.slice(0, 6)).toEqual(['a1', 'b1', 's1', 's2', 's3', 's4']);
  });
  it('are limited to 256', async () => {
    const { begun, most } = await run(Array.from({ length: 600 }, (_, index) => single(index + 1)));
    expect([begun.length, most]).toEqual([600, 256]);
  });
});

describe('a step that waits for one that was not done', () => {
  const chain = [
    temporaryRenameStep('s1', { id: 1, name: 'A' }, 'B'),
    renameStep('s2', { id: 2, name: 'B' }, 'A', { after: ['s1'] }),
  ];
  const temporary = chain[0]?.kind === 'temporary-rename' ? chain[0].to : '';

  it('is skipped, and reports what it waits for', async () => {
    const { ended, problems } = await run(chain, failing('s1'));
    expect(ended).toEqual(['s1 failed', 's2 skipped']);
    expect(problems[1]).toBe(`it depends on the rename of host 1 to "${temporary}", which was not done`);
  });
  it('reports it if its host keeps a temporary name', async () => {
    const last = renameStep('s3', { id: 1, name: 'A' }, 'B', { from: temporary, after: ['s2'] });
    const { problems } = await run([...chain, last], failing('s2'));
    expect(problems[2]).toBe(
      `it depends on the rename of host 2 to "A", which was not done; the host still has its temporary name "${temporary}"`,
    );
    const unsent = await run([...chain, last], failing('s1'));
    expect(unsent.problems[2]).toBe('it depends on the rename of host 2 to "A", which was not done');
    const again = { ...temporaryRenameStep('s3', { id: 1, name: temporary }, 'C'), after: last.after };
    const other = await run([...chain, again], failing('s2'));
    expect(other.problems[2]).toBe('it depends on the rename of host 2 to "A", which was not done');
  });
  it('names a batch by its kind and size', async () => {
    const move = moveStep('s1', [1, 2], 10);
    const { problems } = await run([move, deleteStep('s2', [3], ['s1'])], failing('s1'));
    expect(problems[1]).toBe('it depends on the move of 2 hosts, which was not done');
  });
  it('is not started for the same reason as the step before it', async () => {
    const spent = await run(chain, undefined, 0);
    expect(spent.ended).toEqual(['s1 not-started', 's2 not-started']);
    expect(new Set(spent.problems).size).toBe(1);
    expect(spent.problems[1]).toContain('--max-calls');
    const stopped = await run(chain, () => ({ outcome: 'not-started', failedHosts: [] }));
    expect(stopped.problems).toEqual([undefined, 'the run stopped before this step']);
  });
});
