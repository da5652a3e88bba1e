import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/host-id.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { failed, ok } from '../../../src/core/problem/result.ts';
import { type BatchCall, runBatch } from '../../../src/run/apply/batch-step.ts';
import type { CallFailure } from '../../../src/service/client/call-failure.ts';
import type { WriteResult } from '../../../src/service/wire/fleet.ts';
import { hostId } from '../../given/fleet.ts';

const done: WriteResult = { ok: true, value: null };
const lost = refusal({ outcome: 'unknown', problem: problem('network', 'no reply') });
const hosts = (count: number) => Array.from({ length: count }, (_, index) => hostId(index + 1));

function refusal(parts: Partial<CallFailure>): WriteResult {
  const failure = { outcome: 'refused', problem: problem('bad-request', 'refused'), hostIds: [], ...parts };
  return { ok: false, failure: failure as CallFailure };
}

/** A batch with the answers to its calls, in order, the last one for all that follow; and what was sent. */
async function send(
  ids: readonly HostId[],
  answers: readonly (WriteResult | ((part: readonly HostId[]) => WriteResult))[],
  more: Partial<BatchCall> = {},
) {
  const sent: string[] = [];
  const result = await runBatch(ids, {
    async send(part) {
      const answer = answers[Math.min(sent.length, answers.length - 1)] ?? done;
      sent.push(part.join('+'));
      return typeof answer === 'function' ? answer(part) : answer;
    },
    changes: () => new Map(),
    isGone: () => false,
    settled: async () => ok(new Set()),
    rereadRefusals: false,
    stop: new AbortController().signal,
    ...more,
  });
  return { sent, result };
}

describe('a batch whose replies are lost', () => {
  it('is sent four times, and is unknown then', async () => {
    const { sent, result } = await send(hosts(2), [lost]);
    expect(sent).toEqual(['1+2', '1+2', '1+2', '1+2']);
    expect(result.outcome).toBe('unknown');
  });
  it('is done where the fourth reply comes', async () => {
    const { sent, result } = await send(hosts(2), [lost, lost, lost, done]);
    expect([sent.length, result.outcome]).toEqual([4, 'done']);
  });
  it('is sent again for the hosts only that a read does not show as done', async () => {
    const { sent, result } = await send(hosts(3), [lost, done], {
      settled: async () => ok(new Set([hostId(2)])),
    });
    expect(sent).toEqual(['1+2+3', '1+3']);
    expect(result.outcome).toBe('done');
  });
  it('is unknown at once where no read can tell', async () => {
    const { sent, result } = await send(hosts(2), [lost], {
      settled: async () => failed(problem('network', 'no list')),
    });
    expect([sent.length, result.outcome]).toEqual([1, 'unknown']);
  });
});

describe('a host that is known to be gone', () => {
  it('is not sent, and did not fail', async () => {
    const { sent, result } = await send(hosts(3), [done], { isGone: (host) => host === hostId(2) });
    expect(sent).toEqual(['1+3']);
    expect(result).toEqual({ outcome: 'done', failedHosts: [] });
  });
  it('takes no call where all are gone', async () => {
    const { sent, result } = await send(hosts(2), [done], { isGone: () => true });
    expect([sent, result.outcome]).toEqual([[], 'done']);
  });
  it('keeps a call back whose turn comes after a read has shown it gone', async () => {
    const gone = new Set<HostId>();
    const sent: string[] = [];
    const result = await runBatch(hosts(2), {
      async send(part, objection) {
        // A read of another step shows it just before this call would go out.
        if (gone.size === 0) gone.add(hostId(1));
        const objected = objection();
        if (objected !== undefined) return refusal({ outcome: 'not-sent', problem: objected });
        sent.push(part.join('+'));
        return done;
      },
      changes: () => new Map(),
      isGone: (host) => gone.has(host),
      settled: async () => ok(new Set()),
      rereadRefusals: false,
      stop: new AbortController().signal,
    });
    expect([sent, result.outcome]).toEqual([['2'], 'done']);
  });
});

describe('a batch that is refused', () => {
  it('is halved within 64 calls, and what is left then is named', async () => {
    const all = hosts(100);
    const { sent, result } = await send(all, [refusal({ status: 400 })]);
    expect(sent).toHaveLength(64);
    expect(result.outcome).toBe('failed');
    expect(new Set(result.failedHosts.map((each) => each.hostId))).toEqual(new Set(all));
    expect(result.failedHosts.some((each) => each.problem.message.includes('64 calls'))).toBe(true);
  });
});
