import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdLease } from '../../../../src/run/state/lease/lease.ts';
import { startStopwatch } from '../../../../src/run/state/lease/stopwatch.ts';

const second = 1000;
/** The time between renewals, and the lease without its margin. */
const renewal = 3 * second;
const sending = 9 * second;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A backend that gives these answers to renewals, in order, and repeats the last one. */
function given(...answers: readonly (() => Promise<boolean>)[]) {
  const calls: string[] = [];
  const began = performance.now();
  let renewals = 0;
  const note = (what: string) => calls.push(`${what} ${Math.round((performance.now() - began) / second)}`);
  const lease = holdLease({
    epoch: 7,
    asked: startStopwatch(),
    async renew() {
      note('renew');
      const answer = answers[Math.min(renewals, answers.length - 1)] ?? yes;
      renewals += 1;
      return answer();
    },
    confirm: async () => false,
    async release() {
      note('release');
    },
  });
  return { lease, calls };
}

const yes = async () => true;
const no = async () => false;
const away = async () => {
  throw new Error('away');
};
const later = (ms: number, value: boolean) => () =>
  new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(value), ms);
  });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe('a lease that is held', () => {
  it('is renewed every three seconds while it is held', async () => {
    const { lease, calls } = given();
    await pass(renewal - 1);
    expect(calls).toEqual([]);
    await pass(10 * renewal);
    expect(calls).toEqual([3, 6, 9, 12, 15, 18, 21, 24, 27, 30].map((at) => `renew ${at}`));
    expect(lease.refusal()).toBeUndefined();
    expect(lease.lost.aborted).toBe(false);
    await lease.release();
  });

  it('does not keep its process alive', () => {
    vi.useRealTimers();
    const timer = vi.spyOn(globalThis, 'setTimeout');
    const { lease } = given();
    expect(timer.mock.results.map(({ value }) => value.hasRef())).toEqual([false]);
    timer.mockRestore();
    void lease.release();
  });

  it('is renewed again a second after the backend could not be reached', async () => {
    const { lease, calls } = given(away, away, yes);
    await pass(9 * second);
    expect(calls).toEqual(['renew 3', 'renew 4', 'renew 5', 'renew 8']);
    expect(lease.refusal()).toBeUndefined();
    await lease.release();
  });

  it('counts from before the request to the backend, even if the response is late', async () => {
    const { lease } = given(later(4 * second, true), later(60 * second, true));
    // Requested at 3 and granted at 7, so it is valid until 12, although the next renewal has no response yet.
    await pass(12 * second - 1);
    expect(lease.refusal()).toBeUndefined();
    await pass(1);
    expect(lease.refusal()).toMatchObject({ code: 'lock-lost' });
  });
});

describe('a lease', () => {
  it('is lost once another run has it, and sends no more requests', async () => {
    const { lease, calls } = given(no, yes);
    const lost = vi.fn();
    lease.lost.addEventListener('abort', lost);
    await pass(renewal);
    expect(lost).toHaveBeenCalledOnce();
    expect(lease.refusal()).toMatchObject({ code: 'lock-lost', hint: expect.any(String) });
    await pass(60 * second);
    expect(calls).toEqual(['renew 3']);
  });

  it('is lost once its margin is reached with no renewal', async () => {
    const { lease, calls } = given(away);
    await pass(sending - 1);
    expect(lease.refusal()).toBeUndefined();
    await pass(1);
    expect(lease.refusal()?.code).toBe('lock-lost');
    expect(lease.lost.aborted).toBe(true);
    const before = calls.length;
    await pass(60 * second);
    expect(calls).toHaveLength(before);
  });

  it('is lost at its margin even if no call checks it', async () => {
    const { lease } = given(away);
    await pass(sending + second);
    expect(lease.lost.aborted).toBe(true);
  });

  it('that lapsed while the process was suspended is lost, and is not renewed', async () => {
    const { lease, calls } = given();
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + sending);
    await pass(renewal);
    expect(calls).toEqual([]);
    expect(lease.lost.aborted).toBe(true);
    vi.mocked(performance.now).mockRestore();
  });

  it('stays lost, even if a late response reports its renewal', async () => {
    const { lease, calls } = given(later(9 * second, true), yes);
    await pass(sending);
    expect(lease.refusal()?.code).toBe('lock-lost');
    await pass(60 * second);
    expect(lease.refusal()?.code).toBe('lock-lost');
    expect(calls).toEqual(['renew 3']);
  });

  it('is lost by a renewal that ends after it could have lapsed, even if nothing was sent meanwhile', async () => {
    const { lease, calls } = given(later(9 * second, true), yes);
    await pass(13 * second);
    expect(lease.lost.aborted).toBe(true);
    expect(lease.refusal()?.code).toBe('lock-lost');
    await pass(60 * second);
    expect(calls).toEqual(['renew 3']);
  });

  it('stays lost if the clock seems to go back', async () => {
    const { lease } = given(later(60 * second, true));
    await pass(sending);
    expect(lease.refusal()?.code).toBe('lock-lost');
    vi.spyOn(performance, 'now').mockReturnValue(0);
    expect(lease.refusal()?.code).toBe('lock-lost');
    vi.mocked(performance.now).mockRestore();
  });
});

describe('releasing a lease', () => {
  it('ends its renewal', async () => {
    const { lease, calls } = given();
    await pass(second);
    await lease.release();
    await pass(60 * second);
    expect(calls).toEqual(['release 1']);
  });

  it('is done once', async () => {
    const { lease, calls } = given();
    await lease.release();
    await lease.release();
    expect(calls).toEqual(['release 0']);
  });

  it.each([
    ['renews it', later(2.5 * second, true)],
    [
      'fails',
      async () => {
        await later(2.5 * second, true)();
        throw new Error('away');
      },
    ],
  ])('waits for a renewal that is in flight, and %s, and starts no other', async (_what, answer) => {
    const { lease, calls } = given(answer);
    await pass(renewal);
    const released = lease.release();
    await pass(2 * second);
    expect(calls).toEqual(['renew 3']);
    await pass(60 * second);
    await released;
    expect(calls).toEqual(['renew 3', 'release 6']);
  });
});
