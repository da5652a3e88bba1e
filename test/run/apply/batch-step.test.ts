import { describe, expect, it } from 'vitest';
import type { HostId } from '../../../src/core/model/observed.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { type BatchCall, runBatch } from '../../../src/run/apply/batch-step.ts';
import type { CallFailure } from '../../../src/service/client/client.ts';
import type { WriteResult } from '../../../src/service/wire/fleet.ts';
import { hostId } from '../../given/fleet.ts';

const done: WriteResult = { ok: true, value: null };
const lost = refusal({ outcome: 'unknown', problem: problem('network', 'no reply') });
const hosts = (count: number) => Array.from({ length: count }, (_, index) => hostId(index + 1));

function refusal(parts: Partial<CallFailure>): WriteResult {
  const failure = { outcome: 'refused', problem: problem('bad-request', 'refused'), hostIds: [], ...parts };
  return { ok: false, failure: failure as CallFailure };
}

/**
 * A batch with the responses to its calls, in order, the last one for all that follow; and the calls that were sent.
 */
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
    isDeleted: () => false,
    settled: async () => ok(new Set()),
    rereadRefusals: false,
    stop: new AbortController().signal,
    ...more,
  });
  return { sent, result };
}

describe('a batch whose responses are lost', () => {
  it('is sent four times, and then reported as unknown', async () => {
    const { sent, result } = await send(hosts(2), [lost]);
    expect(sent).toEqual(['1+2', '1+2', '1+2', '1+2']);
    expect(result.outcome).toBe('unknown');
  });
  it('is sent again only for the hosts that a read does not show as done', async () => {
    const { sent, result } = await send(hosts(3), [lost, done], {
      settled: async () => ok(new Set([hostId(2)])),
    });
    expect(sent).toEqual(['1+2+3', '1+3']);
    expect(result.outcome).toBe('done');
  });
  it('is unknown at once if no read can show it', async () => {
    const { sent, result } = await send(hosts(2), [lost], {
      settled: async () => failed(problem('network', 'no list')),
    });
    expect([sent.length, result.outcome]).toEqual([1, 'unknown']);
  });
});

describe('a host that is known to be deleted', () => {
  it('needs no call if all hosts are deleted', async () => {
    const { sent, result } = await send(hosts(2), [done], { isDeleted: () => true });
    expect([sent, result.outcome]).toEqual([[], 'done']);
  });
  it('skips a call whose host a read has shown as deleted', async () => {
    const gone = new Set<HostId>();
    const sent: string[] = [];
    const result = await runBatch(hosts(2), {
      async send(part, precondition) {
        // A read of another step shows it just before this call would go out.
        if (gone.size === 0) gone.add(hostId(1));
        const objected = precondition();
        if (objected !== undefined) return refusal({ outcome: 'not-sent', problem: objected });
        sent.push(part.join('+'));
        return done;
      },
      changes: () => new Map(),
      isDeleted: (host) => gone.has(host),
      settled: async () => ok(new Set()),
      rereadRefusals: false,
      stop: new AbortController().signal,
    });
    expect([sent, result.outcome]).toEqual([['2'], 'done']);
  });
});

describe('a batch that is refused', () => {
  it('is halved within 64 calls, and the remaining hosts are reported', async () => {
    const all = hosts(100);
    const { sent, result } = await send(all, [refusal({ status: 400 })]);
    expect(sent).toHaveLength(64);
    expect(result.outcome).toBe('failed');
    expect(new Set(result.failedHosts.map((each) => each.hostId))).toEqual(new Set(all));
    const rest = result.failedHosts.find((each) => each.problem.message.includes('64 calls'));
    expect(rest?.problem.code).toBe('step-failed');
  });
  it.each([400, 404, 413])('with %i is halved until the bad host is alone', async (status) => {
    const isBad = (part: readonly HostId[]) => part.includes(hostId(3));
    const { sent, result } = await send(hosts(4), [
      (part) => (isBad(part) ? refusal({ status }) : done),
      (part) => (isBad(part) ? refusal({ status }) : done),
    ]);
    expect(sent).toEqual(['1+2+3+4', '1+2', '3+4', '3', '4']);
    expect(result).toMatchObject({
      outcome: 'failed',
      problem: { code: 'bad-request' },
      failedHosts: [{ hostId: '3' }],
    });
  });
  it.each([401, 409, 500])('with %i is not halved', async (status) => {
    const { sent, result } = await send(hosts(4), [refusal({ status })]);
    expect([sent, result.outcome, result.failedHosts]).toEqual([['1+2+3+4'], 'failed', []]);
  });
  it('ends the run if the credentials are refused', async () => {
    const { result } = await send(hosts(2), [
      refusal({ status: 401, problem: problem('not-authenticated', 'refused') }),
    ]);
    expect(result.fatal).toBe(true);
  });
  it.each([
    ['with a status that may hide a part', true, 400, ['1+2+3', '1', '3'], 1],
    ['with another status', true, 409, ['1+2+3'], 0],
    ['where asking again does no harm', false, 400, ['1+2+3', '1+3'], 0],
  ] as const)('is read again %s', async (_, rereadRefusals, status, expected, reads) => {
    let read = 0;
    const { sent } = await send(hosts(3), [refusal({ status, hostIds: ['2'] }), done], {
      rereadRefusals,
      async settled() {
        read += 1;
        return ok(new Set([hostId(2)]));
      },
    });
    expect([sent, read]).toEqual([expected, reads]);
  });
  it("continues with all its hosts if the fleet can't be read again", async () => {
    const { sent, result } = await send(hosts(2), [refusal({ status: 400 }), done], {
      rereadRefusals: true,
      settled: async () => failed(problem('network', 'no list')),
    });
    expect([sent, result.outcome]).toEqual([['1+2', '1', '2'], 'done']);
  });
});

describe('a batch of a run that is stopped', () => {
  it('has not started before its first call', async () => {
    const { sent, result } = await send(hosts(2), [done], { stop: AbortSignal.abort() });
    expect([sent, result.outcome]).toEqual([[], 'not-started']);
  });
  it('reports the remaining hosts if it has begun', async () => {
    const stop = new AbortController();
    const notSent = refusal({ outcome: 'not-sent' });
    const { result } = await send(
      hosts(2),
      [
        () => {
          stop.abort();
          return refusal({ status: 400 });
        },
        notSent,
      ],
      { stop: stop.signal },
    );
    expect([result.outcome, result.failedHosts.map((each) => each.hostId)]).toEqual(['failed', ['1', '2']]);
  });
});

describe('a batch whose fourth response is lost', () => {
  it('is done if a read shows that it was carried out', async () => {
    let reads = 0;
    const { sent, result } = await send(hosts(2), [lost], {
      async settled(part) {
        reads += 1;
        return ok(new Set(reads === 4 ? part : []));
      },
    });
    expect([sent.length, result.outcome]).toEqual([4, 'done']);
  });
});

describe('a call that has waited for its turn', () => {
  const preconditionWith = async (more: Partial<BatchCall>) => {
    let objected: unknown;
    await send(hosts(1), [done], {
      async send(_, precondition) {
        objected = precondition();
        return done;
      },
      ...more,
    });
    return objected;
  };
  const fresh = (isOld: boolean) => ({ refresh: async () => undefined, isReadTooOld: () => isOld });

  it('is built again if its read is too old or a host has changed', async () => {
    expect(await preconditionWith({ fresh: fresh(true) })).toMatchObject({ code: 'stale-plan' });
    let asked = 0;
    const changes = () => {
      asked += 1;
      return asked === 1 ? new Map() : new Map([[hostId(1), problem('stale-plan', 'given')]]);
    };
    expect(await preconditionWith({ changes })).toMatchObject({ code: 'stale-plan' });
  });
});
