import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readServerSettings } from '../../../src/control/settings/read-server-settings.ts';
import {
  type EmulatedService,
  openEmulatedService,
} from '../../../src/doors/server/emulated/open-emulated.ts';
import { type RunningServer, startServer } from '../../../src/doors/server/start-server.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { type PostgresServer, startPostgres } from '../../given/postgres.ts';

let database: PostgresServer;
let url: string;
let folder: string;
let service: EmulatedService;
const servers: RunningServer[] = [];
const logged: string[] = [];

async function start(): Promise<RunningServer> {
  const env = { RAMPART_BASE_URL: service.url };
  const settings = await readServerSettings({ folder, env, listen: '127.0.0.1:0' });
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems));
  const started = await startServer({
    settings: { ...settings.value, data: join(folder, `data-${servers.length}`) },
    env,
    clock: systemClock,
    log: (level, message) => void logged.push(`${level} ${message}`),
    hide: () => {},
    version: '0.0.0',
    isEmulator: false,
    has: { http: true, scheduler: true, worker: true },
    databaseUrl: url,
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  servers.push(started.value);
  return started.value;
}

beforeAll(async () => {
  database = await startPostgres();
  url = database.createDatabase();
  folder = mkdtempSync(join(tmpdir(), 'rampart-two-'));
  const opened = await openEmulatedService(folder, systemClock);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  service = opened.value;
  await Promise.all([start(), start()]);
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await service.close();
  database.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const count = (sql: string) => Number(database.run(url, sql));

describe('two servers on one database', { timeout: 120_000 }, () => {
  it('check every account, and run each correction once', async () => {
    await vi.waitFor(
      () => {
        const checked = `select count(*) from rampart_server.account where last_check_at is not null`;
        expect(count(checked)).toBe(20);
        expect(count(`select count(*) from rampart_server.run where state = 'done'`)).toBeGreaterThan(1);
      },
      { timeout: 90_000, interval: 500 },
    );
    const twice = `select count(*) from (select plan from rampart_server.run group by plan having count(*) > 1) as t`;
    expect(count(twice)).toBe(0);
  });

  it('never check an account at the same time, nor run two plans of it', () => {
    for (const queue of ['check.1', 'run.1']) {
      const overlaps = `select count(*) from rampart_queue.job a join rampart_queue.job b
        on a.name = b.name and a.singleton_key = b.singleton_key and a.id < b.id
        and a.started_on < b.completed_on and b.started_on < a.completed_on where a.name = '${queue}'`;
      expect(count(overlaps), queue).toBe(0);
    }
  });

  it('show since when and why an account fails', () => {
    const failure = JSON.parse(
      database.run(url, `select failure from rampart_server.account where name = 'delta-foods'`),
    ) as Record<string, unknown>;
    expect(failure).toMatchObject({ code: 'server-error', attempts: expect.any(Number) as number });
    expect(Date.parse(String(failure['since']))).toBeGreaterThan(0);
    expect(String(failure['message'])).toContain('503');
  });

  it('go on after the database crashed', async () => {
    const before = count(`select count(*) from rampart_queue.job where name = 'tick.1'`);
    database.halt();
    const [first] = servers;
    expect((await fetch(`${first?.url}/readyz`)).status).toBe(503);
    expect((await fetch(`${first?.url}/healthz`)).status).toBe(200);
    await database.start();
    await vi.waitFor(
      async () => {
        expect(count(`select count(*) from rampart_queue.job where name = 'tick.1'`)).toBeGreaterThan(before);
        expect((await fetch(`${first?.url}/readyz`)).status).toBe(200);
      },
      { timeout: 60_000, interval: 500 },
    );
    expect(logged.some((line) => line.startsWith('warn'))).toBe(true);
  });
});
