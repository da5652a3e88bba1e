import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import { type Problem, problem } from '../../../src/core/problem/problem.ts';
import { runRefreshStep } from '../../../src/run/apply/refresh-step.ts';
import { type FakeCall, type Fate, fakeService } from '../../given/fake-service.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

const hosts = [1, 2, 3].map(hostId);

async function refresh(
  fate: (call: FakeCall, index: number) => Fate = () => 'ok',
  offline: readonly number[] = [],
  changed: ReadonlyMap<HostId, Problem> = new Map(),
) {
  const fleet = givenFleet([1, 2, 3].map((id) => ({ id, name: `H${id}`, online: !offline.includes(id) })));
  const service = fakeService(fleet, fate);
  const result = await runRefreshStep(hosts, {
    writer: service.writer,
    changes: () => changed,
    stop: new AbortController().signal,
    call: {},
  });
  return { calls: service.calls, result, failed: result.failedHosts.map((each) => each.hostId) };
}

describe('a refresh', () => {
  it('names the hosts that it did not reach, and is still done', async () => {
    const { result, failed } = await refresh(undefined, [2]);
    expect([result.outcome, failed]).toEqual(['done', ['2']]);
    expect(result.failedHosts[0]?.problem).toMatchObject({ code: 'step-failed', hostIds: ['2'] });
  });
  it('names a host once that someone else has changed', async () => {
    const changed = new Map([[hostId(1), problem('stale-plan', 'given')]]);
    const { calls, result, failed } = await refresh(undefined, [2], changed);
    expect([calls, result.outcome, failed]).toEqual([['refresh 2+3'], 'failed', ['1', '2']]);
  });
  it('that is refused as a whole names no host', async () => {
    const { calls, result } = await refresh(() => ({ status: 401 }));
    expect([calls, result.outcome, result.failedHosts]).toEqual([['refresh 1+2+3'], 'failed', []]);
  });
});
