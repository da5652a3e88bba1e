import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { leaseMs } from '../../src/run/state/lease/lease-rules.ts';
import type { FollowedProcess } from '../given/follow-process.ts';
import { hasPostgres, sharedPostgres, startPostgres } from '../given/postgres.ts';
import { findBreaches, type RealService, realService, someThirtyCalls } from './real-service.ts';
import {
  afterWrites,
  apply,
  type Begun,
  begunIn,
  begunInFiles,
  migratedDatabase,
  outcomeOf,
  preload,
  unrecorded,
  writesOf,
} from './shared-state.ts';
import { tcpProxy } from './tcp-proxy.ts';

const timeout = 180_000;
const waiting = [...apply, '--lock-timeout', '90s'];
/** How long a run may take to start and to read the fleet on a busy machine, in milliseconds. */
const startMs = 20_000;
const server = sharedPostgres;

interface Given {
  readonly service: RealService;
  readonly env: Readonly<Record<string, string>>;
  /** The steps that any run has recorded. */
  begun(): Promise<Begun>;
}

async function onFiles(): Promise<Given> {
  const service = await realService(someThirtyCalls);
  return { service, env: {}, begun: () => begunInFiles(join(service.folder, '.rampart')) };
}

async function onPostgres(postgres = server()): Promise<Given & { readonly url: string }> {
  const url = await migratedDatabase(postgres);
  const service = await realService(someThirtyCalls);
  const begun = async () => begunIn(postgres, url);
  return { service, url, env: { RAMPART_STATE_URL: url }, begun };
}

/** What a stopped process had sent arrives before this resolves. */
const calm = () => pause(1_500);

/** What is true after a successful run, whatever happened before. */
async function expectSettled({ service, begun }: Given): Promise<void> {
  expect(findBreaches(service)).toEqual([]);
  expect(unrecorded(service, await begun())).toEqual([]);
}

async function expectLost(run: FollowedProcess): Promise<void> {
  const { code, out, err } = await run.ended;
  expect(`${out}${err}`).toContain('this run has lost the lock of its account');
  expect(code).toBe(5);
}

async function killed(given: Given): Promise<void> {
  const { service, env } = given;
  const first = service.start(apply, env);
  await afterWrites(service, 3);
  first.child.kill('SIGKILL');
  await first.ended;
  const killedAt = Date.now();
  await calm();
  // Its process can't be seen from there, so its lease has to lapse.
  const next = service.start(waiting, { ...env, NODE_OPTIONS: preload('other-machine') });
  await afterWrites(service, 1);
  const waitedMs = Date.now() - killedAt;
  expect(waitedMs).toBeGreaterThan(leaseMs / 2);
  expect(waitedMs).toBeLessThan(leaseMs + 5_000 + startMs);
  expect(await outcomeOf(next)).toBe('0');
  await expectSettled(given);
}

/** The run is stopped by now. Another one takes over; the first continues after two leases, and sends nothing more. */
async function wokenAfterwards(given: Given, stopped: FollowedProcess): Promise<void> {
  const { service, env } = given;
  const stoppedAt = Date.now();
  await calm();
  expect(await outcomeOf(service.start(waiting, env))).toBe('0');
  await pause(Math.max(0, stoppedAt + 2 * leaseMs - Date.now()));
  const before = writesOf(service);
  stopped.child.kill('SIGCONT');
  await expectLost(stopped);
  expect(writesOf(service)).toBe(before);
  await expectSettled(given);
}

async function frozen(given: Given): Promise<void> {
  const run = given.service.start(apply, given.env);
  await afterWrites(given.service, 3);
  run.child.kill('SIGSTOP');
  await wokenAfterwards(given, run);
}

async function frozenBeforeItsCall(given: Given): Promise<void> {
  const run = given.service.start(apply, { ...given.env, NODE_OPTIONS: preload('stop-after-begin') });
  await run.says('stopped between begin and call');
  await wokenAfterwards(given, run);
}

async function through(url: string) {
  const proxy = await tcpProxy(server().port);
  const address = new URL(url);
  address.port = String(proxy.port);
  return { ...proxy, env: { RAMPART_STATE_URL: address.href } };
}

async function cutForGood(): Promise<void> {
  const given = await onPostgres();
  const { service, env, begun } = given;
  const network = await through(given.url);
  const run = service.start(apply, network.env);
  await afterWrites(service, 3);
  network.cut();
  await expectLost(run);
  expect(unrecorded(service, await begun())).toEqual([]);
  await calm();
  expect(await outcomeOf(service.start(waiting, env))).toBe('0');
  await expectSettled(given);
}

async function cutForAMoment(): Promise<void> {
  const given = await onPostgres();
  const network = await through(given.url);
  const run = given.service.start(apply, network.env);
  await afterWrites(given.service, 3);
  network.cut();
  await pause(1_000);
  network.heal();
  expect(await outcomeOf(run)).toBe('0');
  await expectSettled(given);
}

async function clockOff(given: Given, years: number): Promise<void> {
  const { service, env } = given;
  const off = { ...env, NODE_OPTIONS: preload('year-off'), RAMPART_TEST_YEARS: String(years) };
  const first = service.start(apply, env);
  await afterWrites(service, 3);
  service.setLatency(4_000);
  const second = await service.start(apply, off).ended;
  expect(second.err).toContain('another run is in progress');
  expect(second.code).toBe(1);
  service.setLatency(15);
  expect(await outcomeOf(first)).toBe('0');
  await expectSettled(given);
}

/** They wait most of the time, so all of them run at once. */
async function findingsOf(scenarios: Readonly<Record<string, () => Promise<void>>>) {
  const ends = await Promise.allSettled(Object.values(scenarios).map((run) => run()));
  return Object.keys(scenarios).flatMap((title, index) => {
    const end = ends[index];
    return end?.status === 'rejected' ? [`${title}: ${String(end.reason)}`] : [];
  });
}

async function serverCrashes(): Promise<void> {
  const own = await startPostgres();
  onTestFinished(() => own.stop());
  const given = await onPostgres(own);
  const { service, env, begun } = given;
  const run = service.start(apply, env);
  await afterWrites(service, 3);
  own.halt();
  await pause(5_000);
  await own.start();
  expect([0, 5]).toContain((await run.ended).code);
  expect(unrecorded(service, await begun())).toEqual([]);
  await calm();
  expect(await outcomeOf(service.start(waiting, env))).toBe('0');
  await expectSettled(given);
}

const inFolder = {
  'folder: kill -9 of the holder': async () => killed(await onFiles()),
  'folder: stopped for two leases': async () => frozen(await onFiles()),
};
const inPostgres = {
  'PostgreSQL: kill -9 of the holder': async () => killed(await onPostgres()),
  'PostgreSQL: stopped between a begin and its call': async () => frozenBeforeItsCall(await onPostgres()),
  'PostgreSQL: the server crashes and is away for 5 s': serverCrashes,
  'PostgreSQL: a network that is cut for good': cutForGood,
  'PostgreSQL: a network that drops every connection, and works again': cutForAMoment,
  'PostgreSQL: a clock a year fast': async () => clockOff(await onPostgres(), 1),
};

describe('faults of real runs', () => {
  it('do not make runs overlap or lose a record, and the next run converges', { timeout }, async () => {
    expect(await findingsOf({ ...inFolder, ...(hasPostgres ? inPostgres : {}) })).toEqual([]);
  });
});
