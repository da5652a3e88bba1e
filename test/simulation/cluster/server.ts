import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { isPassingFault } from '../../../src/run/state/postgres/database-problem.ts';
import type { RolloutStore } from '../../../src/run/state/rollout/rollout-store.ts';
import type { HttpParts } from '../../../src/server/http/route.ts';
import { deliver } from '../../../src/server/notifications/rules/deliver.ts';
import { accountJobs } from '../../../src/server/queue/rules/job-handlers.ts';
import type { JobParts } from '../../../src/server/queue/rules/job-parts.ts';
import { tick } from '../../../src/server/queue/rules/tick.ts';
import { rolloutJob } from '../../../src/server/rollouts/rules/advance-rollout.ts';
import { requeueRuns } from '../../../src/server/runs/rules/queue-run.ts';
import type { ServerSettings } from '../../../src/server/settings/server-settings.ts';
import { fetchSourceJob } from '../../../src/server/sources/rules/fetch-source.ts';
import type { SimulatedAccount } from '../script/script.ts';
import { memoryState } from '../state/memory-state.ts';
import type { Machine } from '../time/machine.ts';
import type { Database } from './database.ts';
import type { SimulatedQueue } from './queue.ts';
import { type Receiver, receiverAddress } from './receiver.ts';
import type { Repository } from './repository.ts';
import type { SimulatedService } from './service.ts';

export const serviceAddress = 'https://service.example';
export const key = 'k'.repeat(32);
export const receiverVariable = 'PEOPLE_URL';
const source = 'git';

export interface ServerParts {
  readonly machine: Machine;
  readonly settings: ServerSettings;
  readonly accounts: ReadonlyMap<string, SimulatedAccount>;
  readonly database: Database;
  readonly queue: SimulatedQueue;
  readonly service: SimulatedService;
  readonly repository: Repository;
  readonly receiver: Receiver;
  readonly newId: () => string;
  readonly tickMs: number;
}

/** A process of the server: its scheduler, its workers, and what its API needs. */
export interface SimulatedServer {
  readonly machine: Machine;
  readonly jobs: JobParts;
  readonly http: HttpParts;
}

const checksAtOnce = 8;
const runsAtOnce = 4;
/** The skew of clocks that the server does not correct, in milliseconds. */
const usualSkewMs = 5_000;

/** The shared state reports a database that is away as a failure, and the store rejects. */
function answering(rollouts: RolloutStore): RolloutStore {
  return Object.fromEntries(
    Object.entries(rollouts).map(([name, call]) => [
      name,
      (...given: unknown[]) =>
        (call as (...all: unknown[]) => Promise<unknown>)(...given).catch((error: unknown) => {
          if (isPassingFault(error)) return failed(problem('state', 'the database is away'));
          throw error;
        }),
    ]),
  ) as unknown as RolloutStore;
}

export function startServer(parts: ServerParts): SimulatedServer {
  const { machine, settings, database, service, repository, receiver, newId } = parts;
  const store = database.storeFor(machine);
  const queue = parts.queue.on(machine);
  const { clock } = machine;
  const env = { RAMPART_BASE_URL: serviceAddress, RAMPART_PSK: key, [receiverVariable]: receiverAddress };
  const sources = {
    refresh: () =>
      machine.reach(async () =>
        repository.isAway
          ? failed(problem('network', 'the remote is away'))
          : ok({ source, commit: repository.head, author: null, folder: '' }),
      ),
    prune: () => {},
  };
  const jobs = {
    env,
    settings,
    store,
    state: {
      ...memoryState({
        records: database.records,
        now: database.now,
        statement: database.statementFor(machine),
        read: database.readFor(machine),
        suffix: () => newId().slice(-6),
        isAlive: () => true,
        skewMs() {
          const ms = database.now() - clock.now();
          return Math.abs(ms) < usualSkewMs ? 0 : ms;
        },
      }),
      rollouts: answering(store.rollouts),
    },
    exchanges: service.exchangesFor(machine),
    clock,
    desired: {
      async load({ name }: { readonly name: string }) {
        const [known] = await store.sources.list();
        const commit = known?.commit ?? repository.head;
        if (commit !== known?.commit) await store.sources.fetched(source, commit);
        const account = parts.accounts.get(name) as SimulatedAccount;
        const desired = repository.desiredAt(commit, account);
        return ok({ desired, source, commit, author: repository.authorOf(commit) });
      },
    },
    queue,
  } as unknown as JobParts;
  const handlers = accountJobs(jobs);
  void machine.run(async () => {
    await queue.work('check', checksAtOnce, async (job, signal) => {
      await handlers.check(job, signal);
    });
    await queue.work('run', runsAtOnce, async (job, signal) => {
      await handlers.run(job, signal);
    });
    await queue.work('fetch', 2, async ({ key: name }, signal) => {
      await fetchSourceJob(name, { settings, sources, store, queue, clock } as never, signal);
    });
    await queue.work('rollout', 4, ({ key, stopping }, signal) =>
      rolloutJob(key, jobs, AbortSignal.any([stopping, signal])),
    );
    await queue.work('notify', 4, async ({ key: channel }, signal) => {
      const common = { settings, env, folder: '/nowhere', hide: () => {}, allow: [], now: clock.now, signal };
      const sending = { ...common, ...receiver.reachedFrom(machine, store.notifications) };
      while (!signal.aborted && (await deliver(channel, sending)));
    });
    await queue.work('tick', 1, async () => {
      await tick({ settings, env, store, queue, clock });
      await requeueRuns(jobs);
    });
    for (;;) {
      await queue.send('tick', ['all'], { oncePerMs: parts.tickMs }).catch(() => {});
      await clock.sleep(parts.tickMs);
    }
  });
  const http = {
    settings,
    store,
    clock,
    queue,
    acts: { recordWithin: () => {}, record: async () => ok(null) },
    onFault: () => {},
  } as unknown as HttpParts;
  return { machine, jobs, http };
}
