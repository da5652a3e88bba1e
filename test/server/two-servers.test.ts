import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type EmulatedAccountsService,
  openEmulatedAccounts,
} from '../../src/server/emulated/open-emulated.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { type RunningServer, startServer } from '../../src/server/start/start-server.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { givenAccounts } from '../given/accounts.ts';
import { type PostgresServer, startPostgres } from '../given/postgres.ts';
import { programEnvironment, programFor } from '../given/program.ts';

let database: PostgresServer;
let url: string;
let folder: string;
let service: EmulatedAccountsService;
const servers: RunningServer[] = [];
const logged: string[] = [];

interface Place {
  readonly folder: string;
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly http: boolean;
}

async function start(place: Place): Promise<RunningServer> {
  const { env, http } = place;
  const settings = await readServerSettings({ folder: place.folder, env, listen: '127.0.0.1:0' });
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems));
  const started = await startServer({
    settings: { ...settings.value, data: join(place.folder, `data-${servers.length}`) },
    env,
    clock: systemClock,
    log: (level, message) => void logged.push(`${level} ${message}`),
    hide: () => {},
    version: '0.0.0',
    isEmulator: false,
    has: { http, scheduler: true, worker: true },
    databaseUrl: place.url,
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  servers.push(started.value);
  return started.value;
}

beforeAll(async () => {
  database = await startPostgres();
  url = database.createDatabase();
  folder = mkdtempSync(join(tmpdir(), 'rampart-two-'));
  const opened = await openEmulatedAccounts(folder, systemClock);
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  service = opened.value;
  const place: Place = { folder, url, env: { RAMPART_BASE_URL: service.url }, http: true };
  await Promise.all([start(place), start(place)]);
}, 60_000);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await service.close();
  database.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const count = (sql: string) => Number(database.run(url, sql));

describe('the emulated service of a server', () => {
  it('keeps its address after a restart, and takes another port only if a program uses its own', async () => {
    const own = mkdtempSync(join(tmpdir(), 'rampart-emulated-'));
    onTestFinished(() => rmSync(own, { recursive: true, force: true }));
    const open = async () => {
      const opened = await openEmulatedAccounts(own, systemClock);
      if (!opened.ok) throw new Error(opened.problems[0]?.message);
      return opened.value;
    };
    const taken = new URL(service.url).port;
    writeFileSync(join(own, 'service-port'), taken);
    const first = await open();
    await first.close();
    const second = await open();
    await second.close();
    expect([first.url === service.url, second.url]).toEqual([false, first.url]);
    writeFileSync(join(own, 'service-port'), 'no port');
    await (await open()).close();
  });
});

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

  it('continue after the database crashed', async () => {
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

/** A process of the command line, with the one session that its login link gives. */
interface Process {
  readonly child: ChildProcess;
  readonly url: string;
  readonly ask: (path: string, body?: object) => Promise<{ status: number; body: Record<string, unknown> }>;
  /** The sum of a metric of this process. */
  readonly sum: (metric: string) => Promise<number>;
}

describe('two versions on one database', { timeout: 180_000 }, () => {
  const newerProgram = join(import.meta.dirname, '../given/newer-program.ts');
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];

  it('work side by side while the newer one updates the tables, and the older one refuses to start again', async () => {
    const fleet = {
      groups: [],
      hosts: [1, 2].map((id) => ({ id: String(id), name: `NEW-${id}` })),
      mode: 'correct',
    };
    const given = await givenAccounts(Object.fromEntries(names.map((name) => [name, fleet])), systemClock);
    const place = mkdtempSync(join(tmpdir(), 'rampart-upgrade-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    writeFileSync(join(place, 'rampart.config.yaml'), given.config);
    const entries = [1, 2].map((id) => `  - { id: ${id}, name: NEW-${id} }\n`);
    writeFileSync(join(place, 'fleet.yaml'), `version: 1\nhosts:\n${entries.join('')}`);
    const own = database.createDatabase();
    const read = (sql: string) => database.run(own, sql);
    const children: ChildProcess[] = [];
    onTestFinished(() => children.forEach((child) => child.exitCode ?? child.kill('SIGKILL')));
    const spawned = (isNewer: boolean) => {
      const argv = [programFor(newerProgram), 'server', '--json', '--listen', '127.0.0.1:0'];
      const child = spawn(process.execPath, [...(isNewer ? ['--import', newerProgram] : []), ...argv], {
        cwd: place,
        env: { ...programEnvironment, HOME: place, RAMPART_STATE_URL: own, ...given.env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      let out = '';
      let err = '';
      child.stdout.on('data', (text) => (out += String(text)));
      child.stderr.on('data', (text) => (err += String(text)));
      return { child, out: () => out, err: () => err };
    };
    const begin = async (isNewer: boolean): Promise<Process> => {
      const { child, out, err } = spawned(isNewer);
      const { url, login_link: link } = await vi
        .waitFor(() => JSON.parse(out()) as { url: string; login_link: string }, {
          timeout: 60_000,
          interval: 100,
        })
        .catch((error: unknown) => {
          throw new Error(err(), { cause: error });
        });
      const login = await fetch(link, { redirect: 'manual' });
      const cookie = login.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const { csrf } = (await (await fetch(`${url}/api/v1/me`, { headers: { cookie } })).json()) as {
        csrf: string;
      };
      return {
        child,
        url,
        async ask(path, body) {
          const answer = await fetch(`${url}/api/v1${path}`, {
            headers: { cookie, 'content-type': 'application/json', 'x-rampart-csrf': csrf },
            ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
          });
          return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
        },
        async sum(metric) {
          const text = await (await fetch(`${url}/metrics`)).text();
          const lines = text.split('\n').filter((line) => line.startsWith(metric));
          return lines.reduce((total, line) => total + Number(line.split(' ').at(-1)), 0);
        },
      };
    };
    const converged = `select count(*) from rampart_server.account where health = 'converged'
      and not exists (select from rampart_server.run where run.account = account.name and run.ended_at is null)`;
    let rounds = 0;
    /** Someone renames a host of each account by hand, and the servers rename it back. */
    const round = async (server: Process) => {
      rounds += 1;
      for (const name of names)
        given.emulators.get(name)?.edit({ kind: 'rename', id: '1', name: `BY-HAND-${rounds}` });
      const accepted = await server.ask('/accounts/check', { names });
      expect(accepted.status).toBe(202);
      await vi.waitFor(
        () => {
          for (const name of names) expect([name, given.writesOf(name)]).toEqual([name, rounds]);
          expect(Number(read(converged))).toBe(names.length);
        },
        { timeout: 60_000, interval: 200 },
      );
    };
    const versions = `select string_agg(v, ' ') from (
      select max(name) as v from rampart.migration union all select max(name) from rampart_server.migration) as t`;

    const older = await begin(false);
    expect((await older.ask('/accounts/check', { names })).status).toBe(202);
    await vi.waitFor(() => expect(Number(read(converged))).toBe(names.length), {
      timeout: 60_000,
      interval: 200,
    });
    await round(older);
    const before = read(versions);
    const newer = await begin(true);
    expect((await newer.ask('/me')).body).toMatchObject({ server: { version: '99.0.0' } });
    const after = read(versions);
    const [stateBefore = '', storeBefore = ''] = before.split(' ');
    const [stateAfter = '', storeAfter = ''] = after.split(' ');
    expect([stateAfter > stateBefore, storeAfter > storeBefore]).toEqual([true, true]);

    const worked = async (each: Process) =>
      Math.min(await each.sum('rampart_check_seconds_count'), await each.sum('rampart_changed_hosts_total'));
    const atUpgrade = {
      checks: await older.sum('rampart_check_seconds_count'),
      changed: await older.sum('rampart_changed_hosts_total'),
    };
    for (let more = 0; more < 12; more += 1) {
      await round(more % 2 === 0 ? older : newer);
      const [checks, changed] = [
        (await older.sum('rampart_check_seconds_count')) - atUpgrade.checks,
        (await older.sum('rampart_changed_hosts_total')) - atUpgrade.changed,
      ];
      if (checks > 0 && changed > 0 && (await worked(newer)) > 0) break;
    }
    expect(await worked(newer)).toBeGreaterThan(0);
    expect(await older.sum('rampart_changed_hosts_total')).toBeGreaterThan(atUpgrade.changed);
    expect(await older.sum('rampart_check_seconds_count')).toBeGreaterThan(atUpgrade.checks);
    // Each sees what the other did: nothing is lost, and nothing is done twice.
    for (const each of [older, newer]) {
      const { items } = (await each.ask('/runs?limit=500')).body as { items: { state: string }[] };
      expect(items.map(({ state }) => state)).toEqual(
        Array.from({ length: rounds * names.length }, () => 'done'),
      );
    }
    const twice = `select count(*) from (select plan from rampart_server.run group by plan having count(*) > 1) as t`;
    expect(read(twice)).toBe('0');

    const ended = once(older.child, 'close');
    older.child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    const again = spawned(false);
    const [code] = (await once(again.child, 'close')) as [number];
    expect([code > 0, again.err()]).toEqual([
      true,
      expect.stringContaining('was updated by a newer version of Rampart'),
    ]);
    expect(again.err()).toContain('start that version');
    await round(newer);
  });
});

describe('services that are down, slow, lying or limiting, with two workers', { timeout: 120_000 }, () => {
  it('delay the changes of no other account, and get no write twice', async () => {
    const hosts = [1, 2, 3].map((id) => ({ id: String(id), name: `OLD-${id}` }));
    const own = { groups: [], hosts, mode: 'correct' };
    const down = { ...own, faults: () => [{ kind: 'status', status: 503 }] as const };
    const given = await givenAccounts(
      {
        good: own,
        down,
        slow: { ...own, faults: () => [{ kind: 'latency', ms: 700 }] as const },
        lying: { ...own, faults: () => [{ kind: 'nothing-done' }] as const },
        limited: {
          ...own,
          faults: ({ action, nth }) =>
            action === 'renameHost' && nth % 2 === 1 ? [{ kind: 'rate-limit', retryDelay: 1 }] : [],
        },
      },
      systemClock,
    );
    const other = await givenAccounts({ out1: down, out2: down, out3: down }, systemClock);
    const place = mkdtempSync(join(tmpdir(), 'rampart-faults-'));
    onTestFinished(() => rmSync(place, { recursive: true, force: true }));
    const baseUrl = other.env['RAMPART_BASE_URL'] ?? '';
    const outside = ['out1', 'out2', 'out3'].map(
      (name, at) => `  ${name}: { companyId: "${1000 + at}", mode: correct, baseUrl: "${baseUrl}" }\n`,
    );
    writeFileSync(join(place, 'rampart.config.yaml'), `${given.config}${outside.join('')}`);
    const names = hosts.map(({ id }) => `  - { id: ${id}, name: NEW-${id} }\n`);
    writeFileSync(join(place, 'fleet.yaml'), `version: 1\nhosts:\n${names.join('')}`);
    const own2 = database.createDatabase();
    const to: Place = { folder: place, url: own2, env: given.env, http: false };
    const began = logged.length;
    await Promise.all([start(to), start(to)]);
    const read = (sql: string) => database.run(own2, sql);
    await vi.waitFor(
      () => {
        const converged = `select string_agg(name, ' ' order by name) from rampart_server.account
          where health = 'converged'`;
        expect(read(converged)).toBe('good limited slow');
        expect(read(`select hold ->> 'kind' from rampart_server.account where name = 'lying'`)).toBe(
          'failed-runs',
        );
        expect(read(`select health from rampart_server.account where name = 'lying'`)).toBe('failing');
        expect(logged.slice(began).join('\n')).toContain(`the service ${baseUrl} is down`);
      },
      { timeout: 90_000, interval: 500 },
    );
    // The row of a failing account shows since when and why.
    const failures = read(`select string_agg(failure ->> 'code', ' ') from rampart_server.account
      where failure ->> 'since' is not null and name in ('down', 'out1', 'out2', 'out3')`);
    expect(failures).toBe('server-error server-error server-error server-error');
    expect(read(`select state || ' ' || exit_code from rampart_server.run where account = 'lying'`)).toBe(
      'failed 8',
    );
    for (const name of ['good', 'slow', 'lying']) expect([name, given.writesOf(name)]).toEqual([name, 3]);
    // Each write that was refused with 429 was sent again, and counted; the others were sent once.
    expect(given.writesOf('limited')).toBe(6);
    expect(read(`select sum(rate_limited) from rampart_server.history where account = 'limited'`)).toBe('3');
    for (const name of ['down', 'lying'])
      expect(
        given.emulators
          .get(name)
          ?.state()
          .hosts.map((host) => host.name),
      ).toEqual(['OLD-1', 'OLD-2', 'OLD-3']);
  });
});
