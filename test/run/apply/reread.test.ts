import { describe, expect, it } from 'vitest';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { createReread } from '../../../src/run/apply/latest-read.ts';
import type { FleetReader } from '../../../src/service/wire/fleet.ts';
import { givenFleet, hostId } from '../../given/fleet.ts';

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A reader whose reads end only when the test ends them. It records the requests and the results. */
function given(isFailing = false) {
  const asked: string[] = [];
  const seen: string[] = [];
  const waiting: (() => void)[] = [];
  const hold = async (what: string) => {
    asked.push(what);
    await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const unread = failed(problem('network', 'given'));
  const reader: FleetReader = {
    async read({ antivirus }) {
      await hold(antivirus ? 'anti-virus' : 'fleet');
      return isFailing ? unread : ok(givenFleet([{ id: 1, name: 'A' }]));
    },
    async readNames() {
      await hold('names');
      return isFailing ? unread : ok(new Map([[hostId(1), 'A']]));
    },
  };
  const reread = createReread(reader, {
    sawNames: () => void seen.push('names'),
    sawFleet: () => void seen.push('fleet'),
  });
  const answer = async () => {
    for (const each of waiting.splice(0)) each();
    for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  };
  return { reread, asked, seen, answer };
}

describe('reading again', () => {
  it('reads the requested lists, and shows them to everyone', async () => {
    const { reread, asked, seen, answer } = given();
    const reads = [reread.names(), reread.fleet(), reread.antivirus()];
    await nextTurn();
    await answer();
    expect((await Promise.all(reads)).map((read) => read.ok)).toEqual([true, true, true]);
    expect([asked, seen]).toEqual([
      ['names', 'fleet', 'anti-virus'],
      ['names', 'fleet', 'fleet'],
    ]);
  });
  it('shares the read in flight among all callers', async () => {
    const { reread, asked, answer } = given();
    const first = reread.names();
    await nextTurn();
    const next = [reread.names(), reread.names()];
    await nextTurn();
    expect(asked).toEqual(['names']);
    await answer();
    await first;
    expect(asked).toEqual(['names', 'names']);
    // These arrive during the second read, and must not get its result.
    const later = [reread.names(), reread.names()];
    await nextTurn();
    await answer();
    await Promise.all(next);
    expect(asked).toEqual(['names', 'names', 'names']);
    await answer();
    await Promise.all(later);
    expect(asked).toHaveLength(3);
  });
});
