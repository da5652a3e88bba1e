import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openPostgresDatabase } from '../../../src/server/database/postgres-database.ts';
import type { StoreDatabase } from '../../../src/server/database/store-database.ts';
import { hasPostgres, type PostgresServer, startPostgres } from '../../given/postgres.ts';

describe.runIf(hasPostgres)('a listener on a PostgreSQL server', () => {
  let server: PostgresServer;
  let url: string;
  beforeAll(async () => {
    server = await startPostgres();
    url = server.createDatabase();
  }, 120_000);
  afterAll(() => server.stop());

  const ofListener = `from pg_stat_activity where application_name = 'rampart listener'`;
  const connected = () => Number(server.run(url, `select count(*) ${ofListener}`));
  const notify = () => server.run(url, `notify "News", 'x'`);
  /** Timers other than those of the database continue. */
  const until = async (isSo: () => boolean) => {
    for (const end = Date.now() + 30_000; !isSo(); ) {
      if (Date.now() > end) throw new Error('it did not happen');
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  /** A listener that receives something, with a clock that stands still. */
  async function listening(): Promise<{
    readonly database: StoreDatabase;
    readonly stop: () => Promise<void>;
    readonly wakes: () => number;
  }> {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const database = openPostgresDatabase(url);
    let wakes = 0;
    const stop = database.notifier('News', () => {
      wakes += 1;
    });
    onTestFinished(() => database.close());
    // It wakes as soon as it listens: what came before may concern it.
    await until(() => wakes === 1);
    return { database, stop, wakes: () => wakes };
  }

  it('wakes with each notification, and by itself every five seconds, until it stops', async () => {
    const { wakes, stop } = await listening();
    notify();
    await until(() => wakes() === 2);
    vi.advanceTimersByTime(4_999);
    expect(wakes()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(wakes()).toBe(3);
    expect(connected()).toBe(1);
    await stop();
    await until(() => connected() === 0);
    vi.advanceTimersByTime(60_000);
    expect([wakes(), connected()]).toEqual([3, 0]);
  });

  it('connects again a second after it lost its connection, and wakes for missed notifications', async () => {
    const { wakes } = await listening();
    server.run(url, `select pg_terminate_backend(pid) ${ofListener}`);
    await until(() => vi.getTimerCount() === 2);
    vi.advanceTimersByTime(999);
    expect([wakes(), connected()]).toEqual([1, 0]);
    vi.advanceTimersByTime(1);
    await until(() => wakes() === 2);
    notify();
    await until(() => wakes() === 3);
    expect(connected()).toBe(1);
  });

  it('retries while the server is unavailable, and not after it stopped', async () => {
    const { wakes, stop } = await listening();
    server.halt();
    await until(() => vi.getTimerCount() === 2);
    for (let attempt = 0; attempt < 3; attempt += 1) {
      vi.advanceTimersByTime(1_000);
      await until(() => vi.getTimerCount() === 2);
    }
    await server.start();
    vi.advanceTimersByTime(1_000);
    await until(() => wakes() === 2);
    server.run(url, `select pg_terminate_backend(pid) ${ofListener}`);
    await until(() => vi.getTimerCount() === 2);
    await stop();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends with its database, and with no other listener', async () => {
    const { database, stop, wakes } = await listening();
    let others = 0;
    const stopOther = database.notifier('News', () => {
      others += 1;
    });
    await until(() => others === 1);
    await stopOther();
    notify();
    await until(() => wakes() === 2);
    await database.close();
    await until(() => connected() === 0);
    expect([others, vi.getTimerCount()]).toEqual([1, 0]);
    await stop();
  });
});

it('a listener without a server keeps no process running', async () => {
  const timers = [vi.spyOn(globalThis, 'setInterval'), vi.spyOn(globalThis, 'setTimeout')];
  const cleared = vi.spyOn(globalThis, 'clearInterval');
  onTestFinished(() => void vi.restoreAllMocks());
  const database = openPostgresDatabase('postgres://127.0.0.1:1/none');
  const stop = database.notifier('News', () => {});
  const areRefs = () =>
    timers.flatMap(({ mock }) =>
      mock.results.flatMap(({ value }, index) =>
        [1_000, 5_000].includes(Number(mock.calls[index]?.[1])) ? [(value as NodeJS.Timeout).hasRef()] : [],
      ),
    );
  // One that stops before its connection fails does not try again.
  await stop();
  expect(areRefs()).toEqual([false]);
  database.notifier('News', () => {});
  await expect.poll(areRefs, { timeout: 10_000, interval: 1 }).toEqual([false, false, false]);
  await database.close();
  expect(cleared).toHaveBeenCalledTimes(2);
});
