import { describe, expect, it } from 'vitest';
import { createDatabaseProbe } from '../../../src/server/start/database-probe.ts';
import type { Store } from '../../../src/server/store/open-store.ts';

const codeOf = (code: string) => Object.assign(new Error('with the password'), { code });

function given({ failure, free }: { failure?: string; free?: () => number } = {}) {
  let now = 0;
  const written: unknown[] = [];
  let code = failure;
  const tickets = {
    async put(_kind: string, _hash: string, value: unknown) {
      written.push(value);
      if (code !== undefined) throw codeOf(code);
    },
  } as unknown as Store['tickets'];
  const { hear, fault } = createDatabaseProbe(() => now);
  const place = 'the database state on db:5432';
  return {
    hear,
    probe: () => fault({ store: { tickets }, place, ...(free === undefined ? {} : { freeBytes: free }) }),
    written,
    pass: (ms: number) => void (now += ms),
    fails: (with_: string | undefined) => void (code = with_),
  };
}

describe('the probe of the database', () => {
  it('writes at most once in 5 seconds, however often it is asked', async () => {
    const { probe, written, pass } = given();
    expect(await Promise.all([probe(), probe(), probe()])).toEqual([null, null, null]);
    pass(4_999);
    await probe();
    expect(written).toEqual([null]);
    pass(1);
    await probe();
    expect(written).toEqual([null, null]);
  });

  it.each([
    ['53100', 'the database state on db:5432 has no space left on its disk'],
    ['25006', 'the database state on db:5432 is read-only'],
    ['42501', 'this user has no right to write to the database state on db:5432'],
    ['ECONNREFUSED', "the database state on db:5432 can't be reached (ECONNREFUSED)"],
  ])('reports why a write fails, without the text of the driver: %s', async (code, reason) => {
    expect(await given({ failure: code }).probe()).toBe(reason);
  });

  it('reports a full disk until a write succeeds that needs new space', async () => {
    const { probe, hear, written, pass, fails } = given();
    expect(await probe()).toBe(null);
    hear(codeOf('40001'));
    pass(5_000);
    expect([await probe(), written.at(-1)]).toEqual([null, null]);
    hear(codeOf('53100'));
    fails('53100');
    pass(5_000);
    expect(await probe()).toBe('the database state on db:5432 has no space left on its disk');
    expect((written.at(-1) as string).length).toBeGreaterThan(1_000_000);
    fails(undefined);
    pass(5_000);
    expect(await probe()).toBe(null);
    expect((written.at(-1) as string).length).toBeGreaterThan(1_000_000);
    pass(5_000);
    expect([await probe(), written.at(-1)]).toEqual([null, null]);
  });

  it('reports a disk with less than 128 MiB before the embedded database fails', async () => {
    let free = 128 * 1024 * 1024;
    const { probe, written, pass } = given({ free: () => free });
    expect(await probe()).toBe(null);
    free -= 1;
    pass(5_000);
    expect(await probe()).toBe(
      'the database state on db:5432 has less than 128 MiB of free space on its disk',
    );
    expect(written).toHaveLength(1);
  });
});
