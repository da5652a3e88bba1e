import fc from 'fast-check';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { RolloutConfig } from '../../src/accounts/config/rollout-config.ts';
import { advanceRollout } from '../../src/server/rollouts/rules/advance-rollout.ts';
import { startRollout } from '../../src/server/rollouts/rules/start-rollout.ts';
import { createHttp } from '../../src/server/start/create-http.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { decideAs } from '../given/decide.ts';
import { databaseWithTables, hasPostgres } from '../given/postgres.ts';
import { type GivenServer, givenServer } from '../given/server-jobs.ts';
import { httpParts } from './http/given.ts';

const accounts = ['a', 'b'] as const;
const ids = ['1', '2', '3', '4'] as const;
const hosts = ids.map((id) => ({ id, name: `FIRST-${id}` }));
const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;

/** What happens to two fleets of four hosts with one desired state. */
type Happening =
  | { readonly kind: 'by hand'; readonly account: (typeof accounts)[number]; readonly id: string }
  | { readonly kind: 'edit'; readonly id: string }
  | { readonly kind: 'apply'; readonly account: (typeof accounts)[number] }
  /** Someone renames a host between the approval and the run, so that it drops out. */
  | { readonly kind: 'race'; readonly account: (typeof accounts)[number]; readonly id: string }
  /** The response to a write is lost, or the service refuses it. */
  | { readonly kind: 'fault'; readonly account: (typeof accounts)[number] }
  /** The server that applies a plan is killed, or frozen, within a write; another one continues. */
  | { readonly kind: 'kill'; readonly account: (typeof accounts)[number] }
  /** All plans that wait are applied together. */
  | { readonly kind: 'rollout' };

const killedThenRolledOut: readonly Happening[] = [
  { kind: 'edit', id: '1' },
  { kind: 'edit', id: '2' },
  { kind: 'kill', account: 'a' },
  { kind: 'edit', id: '3' },
  { kind: 'rollout' },
];

const account = fc.constantFrom(...accounts);
const id = fc.constantFrom(...ids);
const happening: fc.Arbitrary<Happening> = fc.oneof(
  fc.record({ kind: fc.constant('by hand' as const), account, id }),
  fc.record({ kind: fc.constant('edit' as const), id }),
  fc.record({ kind: fc.constant('apply' as const), account }),
  fc.record({ kind: fc.constant('race' as const), account, id }),
  fc.record({ kind: fc.constant('fault' as const), account }),
  fc.record({ kind: fc.constant('kill' as const), account }),
  fc.record({ kind: fc.constant('rollout' as const) }),
);

/** Reads the API of a server as an administrator. */
function reader({ store, parts }: GivenServer) {
  const http = createHttp(
    httpParts({
      store,
      state: parts.state,
      settings: parts.settings,
      clock: systemClock,
      limits: { caller: { burst: 1e6, perSecond: 1e6 } },
    }),
  );
  // oxlint-disable-next-line typescript/no-explicit-any
  const get = async (path: string): Promise<any> => {
    const answer = await http.fetch(
      new Request(`http://127.0.0.1/api/v1${path}`, {
        headers: { authorization: 'Bearer admin', host: '127.0.0.1' },
      }),
    );
    const body: unknown = await answer.json();
    if (!answer.ok) throw new Error(JSON.stringify(body));
    return body;
  };
  return {
    get,
    /** All rows of a list, page by page. */
    async all(path: string): Promise<readonly Record<string, unknown>[]> {
      const rows: Record<string, unknown>[] = [];
      let next: string | undefined;
      do {
        const page = await get(
          `${path}${path.includes('?') ? '&' : '?'}limit=3${next === undefined ? '' : `&cursor=${encodeURIComponent(next)}`}`,
        );
        rows.push(...page.items);
        next = page.next;
      } while (next !== undefined);
      return rows;
    },
  };
}

const idOf = (row: Record<string, unknown>) => String(row['id']);

/**
 * A server that stops within its next write to an account, until it is woken. Its other writes in progress are held
 * too, and lost.
 */
const freeze = (name: string) => ({
  name,
  held: 0,
  isTakenOver: false,
  reached: Promise.withResolvers<void>(),
  woken: Promise.withResolvers<void>(),
});

/** Approves plans and applies them in two waves, until the rollout ends. */
async function runRollout({ parts, store, drain }: GivenServer, ids: readonly string[]): Promise<void> {
  const plans = await Promise.all(ids.map((one) => store.plans.find(one, 'all')));
  for (const plan of plans)
    if (plan !== undefined) {
      const given = { by: ada, decision: 'approved', numbers: {}, comment: null, via: 'rollout' } as const;
      await store.plans.approve(plan.id, given);
      await store.plans.move(plan.id, ['waiting'], 'approved');
    }
  const rules: RolloutConfig = { shares: [50, 100] };
  const id =
    ids.length === 0 ? undefined : await startRollout({ plans: ids, by: ada, reason: 'all', rules }, parts);
  if (id?.ok !== true) return;
  for (let step = 0; step < 20 && (await advanceRollout(id.value, parts)) === 'again'; step += 1)
    await drain();
}

const sum = (rows: readonly Record<string, unknown>[], field: string) =>
  rows.reduce((total, row) => total + Number(row[field]), 0);

describe.skipIf(!hasPostgres)('the numbers that the pages show', () => {
  it('agree with each other, with the fleet and with the request log of the service, whatever happened', {
    timeout: 400_000,
  }, async () => {
    const histories = fc.array(happening, { minLength: 4, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        let faults = 0;
        const failing = new Set<string>();
        let frozen: ReturnType<typeof freeze> | undefined;
        const hooksOf = (name: string) => ({
          beforeEach: async ({ action }: { readonly action: string | null }) => {
            if (action !== 'renameHost') return;
            if (frozen?.name === name && frozen.held > 0 && !frozen.isTakenOver) {
              frozen.held += 1;
              await frozen.woken.promise;
              throw new Error('the server that sent this was killed');
            }
            if (!failing.delete(name)) return;
            faults += 1;
            throw new Error('the connection is lost');
          },
          afterEach: async ({ action }: { readonly action: string | null }) => {
            if (action !== 'renameHost' || frozen?.name !== name || frozen.held > 0) return;
            frozen.held = 1;
            frozen.reached.resolve();
            await frozen.woken.promise;
          },
        });
        const wanted = new Map(ids.map((each) => [each, `FIRST-${each}`]));
        const text = () =>
          `version: 1\nhosts:\n${[...wanted].map(([host, name]) => `  - { id: ${host}, name: ${name} }\n`).join('')}`;
        const server = await givenServer(
          databaseWithTables(),
          Object.fromEntries(
            accounts.map((name) => [name, { groups: [], hosts, mode: 'propose', hooks: hooksOf(name) }]),
          ),
          { desired: text() },
        );
        const { get, all } = reader(server);
        const emulated = (name: string) => {
          const found = server.given.emulators.get(name);
          if (found === undefined) throw new Error(`no fleet ${name}`);
          return found;
        };
        let number = 0;
        const byHand = (name: string, host: string) =>
          emulated(name).edit({ kind: 'rename', id: host, name: `HAND-${host}-${(number += 1)}` });
        const apply = async (name: string, between: () => void = () => {}) => {
          const [plan] = await all(`/plans?account=${name}&state=waiting`);
          const found = plan && (await server.store.plans.find(String(plan['id']), 'all'));
          if (found === undefined) return;
          await decideAs(server.parts, found, ada, { comment: 'yes' });
          between();
          await server.drain();
        };
        for (const each of history) {
          if (each.kind === 'by hand') byHand(each.account, each.id);
          if (each.kind === 'edit') {
            wanted.set(each.id as (typeof ids)[number], `FILE-${each.id}-${(number += 1)}`);
            await server.desire(text());
          }
          if (each.kind === 'apply') await apply(each.account);
          if (each.kind === 'race') await apply(each.account, () => byHand(each.account, each.id));
          if (each.kind === 'fault') {
            failing.add(each.account);
            await apply(each.account);
            failing.clear();
          }
          if (each.kind === 'kill') {
            const stopped = freeze(each.account);
            frozen = stopped;
            const applied = apply(each.account);
            await Promise.race([applied, stopped.reached.promise]);
            if (stopped.held > 0) {
              const [run] = await all(`/runs?account=${each.account}&state=running`);
              const unheld = async () =>
                (await get(`/runs/${idOf(run ?? {})}`)).steps.in_progress - stopped.held;
              await expect.poll(unheld).toBe(0);
              stopped.isTakenOver = true;
              await sql`update rampart.lease set until = clock_timestamp()`.execute(server.database.db);
              await server.run(each.account);
            }
            stopped.woken.resolve();
            // A server that finds its run continued by another one gives its job back.
            await applied.catch((error: Error) =>
              expect(error.message).toBe('another worker continues the run'),
            );
            frozen = undefined;
          }
          if (each.kind === 'rollout')
            await runRollout(server, (await all('/plans?state=waiting')).map(idOf));
          for (const name of accounts) await server.check(name);
          await server.drain();

          const differing = (name: string) =>
            emulated(name)
              .state()
              .hosts.filter((host) => host.name !== wanted.get(String(host.id) as (typeof ids)[number]));
          const overview = await get('/overview');
          const listed = await all('/accounts');
          // The fleet.
          for (const row of listed) {
            const name = String(row['name']);
            expect({ name, hosts: row['hosts'], drifted: row['drifted'] }).toEqual({
              name,
              hosts: ids.length,
              drifted: differing(name).length,
            });
            const rows = await all(`/accounts/${name}/drift`);
            expect(new Set(rows.map((drift) => drift['host_id'])).size).toBe(differing(name).length);
            const { causes } = await get(`/accounts/${name}`);
            expect(sum(causes, 'hosts')).toBe(differing(name).length);
          }
          // The overview, the lists that it leads to, and the curves.
          const drifted = accounts.reduce((total, name) => total + differing(name).length, 0);
          const facets = await get('/hosts/facets');
          const curve = (await get('/history?days=1')).series;
          expect({
            accounts: overview.accounts,
            hosts: overview.hosts,
            drifted: overview.drifted,
            health: Object.values(overview.health as Record<string, number>).reduce((a, b) => a + b, 0),
            listed: (await all('/hosts?drifted=true')).length,
            facets: [facets.total, facets.drifted],
            curve: curve.drifted.at(-1),
            waiting: overview.waiting.length,
          }).toEqual({
            accounts: 2,
            hosts: 8,
            drifted,
            health: 2,
            listed: drifted,
            facets: [8, drifted],
            curve: drifted,
            waiting: (await all('/plans?state=waiting')).length,
          });
          for (const [health, count] of Object.entries(overview.health as Record<string, number>))
            expect([health, (await all(`/accounts?health=${health}`)).length]).toEqual([health, count]);
          for (const cause of await all('/causes')) {
            const of = await all(`/accounts?cause=${encodeURIComponent(String(cause['id']))}`);
            expect([cause['title'], of.length]).toEqual([cause['title'], cause['accounts']]);
          }
          // Plans.
          for (const plan of await all('/plans')) {
            const path = `/plans/${String(plan['id'])}`;
            const detail = await get(path);
            const changed = (await all(`${path}/hosts`)).length;
            expect([changed, sum(detail.causes, 'hosts'), detail.counts.rename]).toEqual([
              plan['changes'],
              plan['changes'],
              plan['changes'],
            ]);
          }
          // Rollouts.
          for (const row of await all('/rollouts')) {
            const rollout = await get(`/rollouts/${idOf(row)}`);
            const { waves, accounts: named } = rollout;
            expect(waves.map((wave: { accounts: unknown }) => wave.accounts)).toEqual(
              waves.map(
                (_: unknown, wave: number) =>
                  named.filter((one: { wave: number }) => one.wave === wave).length,
              ),
            );
            expect([sum(waves, 'done'), sum(waves, 'failed'), sum(waves, 'running')]).toEqual(
              ['done', 'failed', 'running'].map(
                (state) => named.filter((one: { state: string }) => one.state === state).length,
              ),
            );
            // It has changed what the runs that it leads to have changed.
            const isWithoutRun = (one: { state: string; run: unknown }) =>
              one.state === 'done' && one.run === null;
            expect(named.filter(isWithoutRun)).toEqual([]);
            let changedHosts = 0;
            for (const { run } of named)
              changedHosts += run === null ? 0 : sum((await get(`/runs/${run}`)).by_kind, 'hosts_done');
            expect(Object.values<number>(rollout.changed).reduce((a, b) => a + b)).toBe(changedHosts);
          }
          // Runs, and the requests that the service received.
          const runs = await all('/runs');
          const done = new Map<string, number>();
          for (const row of runs) {
            const run = await get(`/runs/${String(row['id'])}`);
            const { total, done: ended, failed, in_doubt: doubt, skipped } = run.steps;
            // Every step has at most one outcome, and exactly one unless a failure kept it from beginning.
            const outcomes = ended + failed + doubt + skipped;
            if (run.state === 'done' || run.state === 'stopped')
              expect([run, outcomes]).toEqual([run, total]);
            else expect(outcomes).toBeLessThanOrEqual(total);
            done.set(run.account, (done.get(run.account) ?? 0) + sum(run.by_kind, 'hosts_done'));
          }
          const answered = (name: string) =>
            emulated(name).requests.filter(
              ({ method, status }) => method !== 'GET' && status !== null && status < 300,
            ).length;
          const changes = accounts.reduce((total, name) => total + (done.get(name) ?? 0), 0);
          expect({
            overview: overview.changed.changes,
            curve: curve.changes.reduce((a: number, b: number) => a + b, 0),
          }).toEqual({ overview: changes, curve: changes });
          if (faults === 0)
            for (const name of accounts) expect([name, done.get(name) ?? 0]).toEqual([name, answered(name)]);
        }
      }),
      {
        numRuns: Number(process.env['RAMPART_SOAK'] === '1' ? 24 : 2),
        endOnFailure: true,
        examples: [[killedThenRolledOut]],
      },
    );
  });
});
