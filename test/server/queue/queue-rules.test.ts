import { describe, expect, it } from 'vitest';
import { queueNames } from '../../../src/server/queue/queue.ts';
import {
  allRules,
  batchOf,
  jobVersion,
  knownVersions,
  queueNameOf,
  reservedSlots,
} from '../../../src/server/queue/queue-rules.ts';

const rulesOf = (name: (typeof queueNames)[number]) =>
  allRules([1]).find((each) => each.name === queueNameOf(name, 1));

describe('the rules of the queues', () => {
  it('exist once for each queue and version, under their own names', () => {
    const names = allRules([1, 2]).map(({ name }) => name);
    expect(new Set(names).size).toBe(2 * queueNames.length);
    expect(names).toContain('check.1');
    expect(names).toContain('run.2');
    expect(allRules([])).toEqual([]);
  });

  it('let a program process the jobs that it writes', () => {
    expect(knownVersions).toContain(jobVersion);
  });

  it('run one job of an account at a time, and drop a check that already waits', () => {
    const policies = Object.fromEntries(queueNames.map((name) => [name, rulesOf(name)?.policy]));
    expect(policies).toEqual({
      tick: 'exclusive',
      check: 'exclusive',
      run: 'singleton',
      rehearse: 'exclusive',
      // One more fetch may wait, because a push during a fetch may come too late for it.
      fetch: 'stately',
      notify: 'exclusive',
      rollout: 'singleton',
      prune: 'exclusive',
    });
  });

  it('find a lost worker within ten seconds, and wake workers for new jobs', () => {
    for (const rules of allRules([1])) {
      expect(rules).toMatchObject({ notify: true, heartbeatSeconds: 10, retryDelay: 1 });
    }
  });

  it('continue runs and rollouts without delay, however often a worker is lost', () => {
    for (const name of ['run', 'rollout'] as const)
      expect(rulesOf(name)).toMatchObject({ retryLimit: 1000, retryBackoff: false });
    expect(rulesOf('run')?.expireInSeconds).toBe(86_399);
    expect(rulesOf('rollout')?.expireInSeconds).toBe(3600);
  });

  it('keep as many slots for lost runs and rollouts as another process can lose', () => {
    const reserved = queueNames.map((name) => [name, reservedSlots(name, 16)]);
    expect(reserved.filter(([, slots]) => slots !== 0)).toEqual([
      ['run', 16],
      ['rollout', 16],
    ]);
  });

  it('try failing jobs three times, with growing delays, and a tick once', () => {
    for (const name of ['check', 'rehearse', 'fetch', 'notify', 'prune'] as const)
      expect(rulesOf(name)).toMatchObject({ retryLimit: 2, retryBackoff: true, retryDelayMax: 60 });
    // The next tick comes before a second attempt.
    expect(rulesOf('tick')).toMatchObject({ retryLimit: 0, expireInSeconds: 60 });
  });

  it('give jobs more time than their work can take', () => {
    const seconds = (['check', 'rehearse', 'fetch', 'notify', 'prune'] as const).map(
      (name) => rulesOf(name)?.expireInSeconds,
    );
    expect(seconds).toEqual([600, 900, 900, 300, 3600]);
  });

  it('keep a finished pruning job until its day is surely over, and other jobs for an hour', () => {
    const dayS = 86_400;
    for (const rules of allRules([1]))
      expect([rules.name, rules.deleteAfterSeconds]).toEqual([
        rules.name,
        rules.name === 'prune.1' ? 2 * dayS : 3600,
      ]);
  });

  it('take several checks at once, and every other job alone', () => {
    expect(queueNames.filter((name) => batchOf(name) !== 1)).toEqual(['check']);
    expect(batchOf('check')).toBe(8);
  });
});
