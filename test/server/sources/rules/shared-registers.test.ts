import { describe, expect, it, vi } from 'vitest';
import type { RegisterContent, RegisterRequest } from '../../../../src/core/model/register-request.ts';
import { failed, ok, problem, type Result } from '../../../../src/core/problem/problem.ts';
import { createSharedRegisters } from '../../../../src/server/sources/rules/shared-registers.ts';

const place = { file: 'rampart.config.yaml', line: 1, col: 1, text: '', width: 1 };
const minute = 60_000;
const request = (path: string, source = 'snipe'): RegisterRequest => ({
  source,
  path,
  paging: { by: 'none', param: '', size: 0, first: 0 },
});

function given(everyMs?: number) {
  let now = 0;
  const fetch = vi.fn<(asked: RegisterRequest) => Promise<Result<RegisterContent>>>(async () =>
    ok({ rows: [], origin: 'http://127.0.0.1', hash: String(now), changedAt: '' }),
  );
  const register = {
    name: 'snipe',
    place,
    sources: ['fleet'],
    ...(everyMs === undefined ? {} : { everyMs }),
  };
  const read = createSharedRegisters({ registers: [register], cadenceMs: 10 * minute }, fetch, {
    now: () => now,
  });
  return { fetch, read, wait: (ms: number) => (now += ms) };
}

describe('the registers of a server', () => {
  it('are read once for all accounts, even at the same time', async () => {
    const { fetch, read } = given();
    await Promise.all([1, 2, 3].map(() => read('fleet', request('a')).content));
    await read('fleet', request('a')).content;
    await read('fleet', request('b')).content;
    expect(fetch.mock.calls).toEqual([[request('a')], [request('b')]]);
  });

  it.each<[string, number | undefined, number]>([
    ['the cadence of the server', undefined, 10 * minute],
    ['their own time', 90 * minute, 90 * minute],
  ])('are read again after %s', async (_, everyMs, due) => {
    const { fetch, read, wait } = given(everyMs);
    const first = read('fleet', request('a'));
    expect(first.until()).toBe(Infinity);
    await first.content;
    expect(first.until()).toBe(due);
    wait(due - 1);
    expect(await read('fleet', request('a')).content).toMatchObject({ value: { hash: '0' } });
    wait(1);
    expect(await read('fleet', request('a')).content).toMatchObject({ value: { hash: String(due) } });
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it('are read again a minute after they failed, and not by each account', async () => {
    const { fetch, read, wait } = given();
    fetch.mockResolvedValueOnce(failed(problem('table-unreadable', 'it answered 503')));
    const first = read('fleet', request('a'));
    expect((await first.content).ok).toBe(false);
    wait(minute - 1);
    expect((await read('fleet', request('a')).content).ok).toBe(false);
    wait(1);
    expect((await read('fleet', request('a')).content).ok).toBe(true);
    expect(fetch).toHaveBeenCalledTimes(2);
  });

  it.each([
    ['a register that is not configured', 'fleet', 'netbox'],
    ['a source that may not read it', 'other', 'snipe'],
  ])('refuse %s, and send nothing', async (_, source, register) => {
    const { fetch, read } = given();
    const refused = await read(source, request('a', register)).content;
    expect(refused.problems.map(({ message }) => message)).toEqual([
      `the source "${source}" may not read the register "${register}"`,
    ]);
    expect(fetch).not.toHaveBeenCalled();
  });
});
