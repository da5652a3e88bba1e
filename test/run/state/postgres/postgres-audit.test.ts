import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../../../src/run/state/audit/audit-record.ts';
import { chainRecords, emptyChain, parseRecord } from '../../../../src/run/state/audit/chain.ts';
import { postgresAudit } from '../../../../src/run/state/postgres/postgres-audit.ts';
import { at } from '../../../given/fleet.ts';
import { type GivenNetwork, type GivenPglite, startPglite } from '../../../given/pglite.ts';

let pglite: GivenPglite;
beforeAll(async () => {
  pglite = await startPglite();
}, 120_000);
afterAll(() => pglite.stop());
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await pglite.clear();
});

const dropped = Object.assign(new Error('away'), { code: 'ECONNRESET' });
const broken = Object.assign(new Error('broken'), { code: 'XX000' });
const entry = (reason: string): AuditEntry => ({
  kind: 'unlock',
  origin: { actor: 'alice', host: 'vm', reason },
  what: { holder: null },
});
const recordsOf = (count: number) =>
  chainRecords(
    emptyChain,
    Array.from({ length: count }, (_, index) => entry(String(index))),
    at,
  ).records;

/** An audit log behind a network, and a clock that remembers how long it was asked to sleep. */
function given(network: GivenNetwork = {}) {
  const slept: string[] = [];
  const clock = {
    now: () => 0,
    async sleep(ms: number) {
      slept.push(`sleep ${ms}`);
      await new Promise((resolve) => setImmediate(resolve));
      slept.push('awake');
    },
  };
  const audit = postgresAudit(pglite.through(network));
  return { slept, clock, append: (...reasons: readonly string[]) => audit.append(clock, reasons.map(entry)) };
}

const audit = () => postgresAudit(pglite.database);
const reasons = async () => {
  const page = await audit().page(0);
  return page.ok ? page.value.records.map(({ text }) => parseRecord(text)?.origin.reason) : undefined;
};

describe('the audit log in a table', () => {
  it('returns the new head of its chain', async () => {
    const appended = await given().append('a', 'b');
    const [last] = await pglite.run('select seq, hash from rampart.audit where seq = 2');
    expect(appended).toMatchObject({ ok: true, value: last });
  });

  it('has pages of 1,000 records', async () => {
    const records = recordsOf(1_001);
    expect((await audit().restore(records)).ok).toBe(true);
    expect(await audit().page(0)).toMatchObject({
      value: { records: records.slice(0, 1_000), next: 1_000 },
    });
    expect(await audit().page(1)).toMatchObject({ value: { records: records.slice(1), next: 1_001 } });
    expect(await audit().page(2)).toEqual({
      ok: true,
      value: { records: records.slice(2), next: null },
      problems: [],
    });
  });

  it('accepts the same entry twice', async () => {
    await given().append('a');
    expect(await given().append('a')).toMatchObject({ ok: true, value: { seq: 2 } });
    expect(await reasons()).toEqual(['a', 'a']);
  });

  it('writes entries again that were not sent', async () => {
    const { append, slept } = given({ sends: [dropped, dropped] });
    expect(await append('a', 'b')).toMatchObject({ ok: true, value: { seq: 2 } });
    expect(slept).toEqual(['sleep 250', 'awake', 'sleep 250', 'awake']);
    await given({ sends: [dropped] }).append('c');
    expect(await reasons()).toEqual(['a', 'b', 'c']);
  });

  it('writes entries once although the response to their commit was lost', async () => {
    const { db } = pglite.database;
    const transaction = db.transaction.bind(db);
    vi.spyOn(db, 'transaction').mockImplementationOnce(
      () =>
        ({
          async execute(work: Parameters<ReturnType<typeof transaction>['execute']>[0]) {
            await transaction().execute(work);
            throw dropped;
          },
        }) as never,
    );
    const { clock } = given();
    const appended = await audit().append(clock, ['a', 'b', 'c'].map(entry));
    const [, , last] = (await pglite.run('select seq, hash from rampart.audit order by seq')) as object[];
    expect(appended).toMatchObject({ ok: true, value: last });
    expect(await reasons()).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['the lock', [broken]],
    ['the last record', [undefined, broken]],
    ['the new records', [undefined, undefined, broken]],
  ])('writes nothing, and tries once, if the statement for %s fails', async (_what, sends) => {
    const { append, slept } = given({ sends });
    await expect(append('a')).rejects.toBe(broken);
    expect(slept).toEqual([]);
    expect(await reasons()).toEqual([]);
  });

  it.each([
    ['the lock', [dropped]],
    ['the new records', [undefined, undefined, dropped]],
  ])('imports nothing if the statement for %s fails', async (_what, sends) => {
    const restored = postgresAudit(pglite.through({ sends })).restore(recordsOf(1));
    await expect(restored).rejects.toBe(dropped);
    expect(await reasons()).toEqual([]);
  });

  it('waits up to 10 s for an unavailable database', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { db } = pglite.database;
    const waits = [0, 10_000, 1];
    const tried = vi.spyOn(db, 'transaction').mockImplementation(() => {
      vi.advanceTimersByTime(waits[tried.mock.calls.length - 1] ?? 0);
      throw dropped;
    });
    const { clock, slept } = given();
    await expect(audit().append(clock, [entry('a')])).rejects.toBe(dropped);
    expect(tried).toHaveBeenCalledTimes(3);
    expect(slept.filter((each) => each === 'awake')).toHaveLength(2);
  });
});
