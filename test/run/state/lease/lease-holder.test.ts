import { describe, expect, it } from 'vitest';
import { describeHolder, readHolder } from '../../../../src/run/state/lease/lease-holder.ts';
import { describeProcess } from '../../../../src/run/state/lease/this-process.ts';

const holder = { pid: 7, machine: 'build-1', user: 'ada', since: '2026-11-21T09:00:00Z' };

describe('the holder of a lock', () => {
  it('is named by user, machine, process and time', () => {
    expect(describeHolder(holder)).toBe('of ada on build-1 (process 7, since 2026-11-21T09:00:00Z)');
  });
  it('is named by the actor, the run and the job, if they are known', () => {
    expect(describeHolder({ ...holder, actor: 'bob', run: 'r1', job: 'https://ci.example/1' })).toBe(
      'of bob on build-1 (process 7, since 2026-11-21T09:00:00Z, run r1, job https://ci.example/1)',
    );
  });
  it('is read from the text of a lock, and from nothing else', () => {
    expect(readHolder(JSON.stringify({ ...holder, token: 't' }))).toEqual(holder);
    for (const text of [undefined, '', '{', 'null', '{}', JSON.stringify({ ...holder, epoch: 0 })])
      expect(readHolder(text)).toBeUndefined();
  });
  it('is this process, with the actor and the job of its run', () => {
    const since = holder.since;
    expect(describeProcess(since)).not.toHaveProperty('actor');
    expect(describeProcess(since)).not.toHaveProperty('job');
    expect(describeProcess(since, { actor: 'bob', job: 'j' })).toMatchObject({ actor: 'bob', job: 'j' });
  });
});
