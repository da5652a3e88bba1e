import { describe, expect, it } from 'vitest';
import type { Store } from '../../../src/control/store/open-store.ts';
import { createDatabaseProbe } from '../../../src/doors/server/database-probe.ts';

function given(failure?: string) {
  let now = 0;
  let writes = 0;
  const tickets = {
    async put() {
      writes += 1;
      if (failure !== undefined) throw Object.assign(new Error('with the password'), { code: failure });
    },
  } as unknown as Store['tickets'];
  const probe = createDatabaseProbe({ tickets }, 'the database state on db:5432', () => now);
  return { probe, writes: () => writes, pass: (ms: number) => void (now += ms) };
}

describe('the probe of the database', () => {
  it('writes at most once in 5 seconds, however often it is asked', async () => {
    const { probe, writes, pass } = given();
    expect(await Promise.all([probe(), probe(), probe()])).toEqual([null, null, null]);
    pass(4_999);
    await probe();
    expect(writes()).toBe(1);
    pass(1);
    await probe();
    expect(writes()).toBe(2);
  });

  it.each([
    ['53100', 'the database state on db:5432 has no space left on its disk'],
    ['25006', 'the database state on db:5432 can only be read'],
    ['42501', 'this user has no right to write to the database state on db:5432'],
    ['ECONNREFUSED', "the database state on db:5432 can't be reached (ECONNREFUSED)"],
  ])('reports why a write fails, without the text of the driver: %s', async (code, reason) => {
    expect(await given(code).probe()).toBe(reason);
  });
});
