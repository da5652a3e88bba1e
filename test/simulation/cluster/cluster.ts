import type { AccountConfig } from '../../../src/accounts/config/account-config.ts';
import { createVirtualClock, type VirtualClock } from '../../../src/core/lib/virtual-clock.ts';
import { toTenant } from '../../../src/server/settings/configured-account.ts';
import { notificationKinds, type ServerSettings } from '../../../src/server/settings/server-settings.ts';
import type { Emulator } from '../../../src/service/emulator/emulator.ts';
import { fleetState } from '../../../src/service/emulator/fleet-state.ts';
import { accountOf, place } from '../../server/jobs/given.ts';
import { groups } from '../script/make-script.ts';
import type { Script, SimulatedAccount } from '../script/script.ts';
import { createMachine, type Machine } from '../time/machine.ts';
import { createRandom } from '../time/random.ts';
import type { VirtualTimers } from '../time/virtual-timers.ts';
import { createDatabase, type Database } from './database.ts';
import { createQueue, type SimulatedQueue } from './queue.ts';
import { createReceiver, type ReceivedMessage, type Receiver } from './receiver.ts';
import { createRepository, type Repository } from './repository.ts';
import { key, receiverVariable, type SimulatedServer, serviceAddress, startServer } from './server.ts';
import { createService, type SimulatedService, type Wire } from './service.ts';

/** Servers, database, queue, service, repository and clocks in one process, in virtual time. */
export interface Cluster {
  readonly script: Script;
  readonly world: VirtualClock;
  /** When the history began, in milliseconds. */
  readonly beganAt: number;
  readonly accounts: ReadonlyMap<string, SimulatedAccount>;
  readonly database: Database;
  readonly queue: SimulatedQueue;
  readonly service: SimulatedService;
  readonly repository: Repository;
  readonly receiver: Receiver;
  readonly settings: ServerSettings;
  /** One for each machine; a machine that died has none until it starts again. */
  readonly servers: readonly (SimulatedServer | undefined)[];
  emulatorOf(account: string): Emulator;
  kill(machine: number): void;
  /** Starts a machine that died. */
  start(machine: number): void;
  freeze(machine: number): void;
  thaw(machine: number): void;
  /** Ends all faults. */
  calm(): void;
  /** Nothing continues. */
  stop(): void;
}

export interface ClusterParts {
  readonly timers: VirtualTimers;
  readonly wire: Wire;
  readonly onMessage: (message: ReceivedMessage) => void;
  readonly onChange: () => void;
  readonly onDefect: (error: unknown) => void;
}

const beginning = Date.parse('2026-01-05T00:00:00Z');

export function createCluster(
  script: Script,
  { timers, wire, onMessage, onChange, onDefect }: ClusterParts,
): Cluster {
  const world = createVirtualClock(beginning, { settle: timers.settle });
  timers.follow(world);
  const random = createRandom(script.seed + 0x5eed);
  const accounts = new Map(script.accounts.map((account) => [account.name, account]));
  let ids = 0;
  const newId = () => `id-${String((ids += 1)).padStart(8, '0')}`;
  const configs = script.accounts.map(configOf);
  const settings = settingsOf(script, configs);
  const database = createDatabase({ world, newId, onChange });
  const queue = createQueue({ world, mustAnswer: database.mustAnswer, onDefect });
  const service = createService({
    world,
    random,
    accounts: new Map(
      script.accounts.map(({ name, hosts }, at) => [
        name,
        fleetState({
          companyId: String(1000 + at),
          psk: key,
          groups: Object.entries(groups).map(([id, group]) => ({ id, name: group })),
          hosts: Array.from({ length: hosts }, (_, index) => ({
            id: String(index + 1),
            name: `host-${index + 1}`,
            groupId: '10',
          })),
        }),
      ]),
    ),
    installTakesMs: (name) => accounts.get(name)?.installTakesMs ?? 0,
    wire,
    latencyMs: () => random.below(1_500),
  });
  const repository = createRepository();
  const receiver = createReceiver({ world, onMessage });
  const latencyMs = () => (script.latencyMs > 0 && random.isLikely(0.3) ? random.below(script.latencyMs) : 0);
  const servers: (SimulatedServer | undefined)[] = [];
  const machines: Machine[] = [];
  const start = (at: number) => {
    const machine = createMachine(`machine-${at}`, { world, latencyMs });
    machines[at] = machine;
    servers[at] = startServer({
      machine,
      settings,
      accounts,
      database,
      queue,
      service,
      repository,
      receiver,
      newId,
      tickMs: script.tickMs,
    });
  };
  // As at the start of the first server, before any job.
  void database.storeFor(createMachine('first', { world, latencyMs: () => 0 })).accounts.sync(
    configs.map(({ name, labels, mode, ...rest }) => ({
      name,
      ...toTenant(rest, { RAMPART_BASE_URL: serviceAddress }),
      labels,
      mode,
      source: 'git',
    })),
  );
  for (let at = 0; at < script.machines; at += 1) start(at);
  const lose = (machine: Machine) => {
    queue.lose(machine);
    database.forget(machine);
  };
  return {
    script,
    world,
    beganAt: beginning,
    accounts,
    database,
    queue,
    service,
    repository,
    receiver,
    settings,
    servers,
    emulatorOf(account) {
      const emulator = service.emulators.get(account);
      if (emulator === undefined) throw new Error(`no account ${account}`);
      return emulator;
    },
    kill(at) {
      const machine = machines[at];
      if (machine === undefined || machine.state === 'dead') return;
      machine.kill();
      servers[at] = undefined;
      lose(machine);
    },
    start(at) {
      if (machines[at]?.state === 'dead') start(at);
    },
    freeze(at) {
      const machine = machines[at];
      if (machine?.state !== 'up') return;
      machine.freeze();
      lose(machine);
    },
    thaw: (at) => machines[at]?.thaw(),
    calm() {
      service.misbehave(undefined);
      repository.lose(false);
      receiver.fail(undefined);
      for (const [at, machine] of machines.entries()) {
        machine.thaw();
        if (machine.state === 'dead') start(at);
      }
    },
    stop() {
      for (const machine of machines) machine.kill();
    },
  };
}

function configOf({ name, mode }: SimulatedAccount, at: number): AccountConfig {
  return accountOf(name, { mode, companyId: String(1000 + at), configuredLabels: new Set() });
}

function settingsOf(
  { accounts, cadenceMs, freeze }: Script,
  configs: readonly AccountConfig[],
): ServerSettings {
  return {
    folder: '/nowhere',
    accounts: configs,
    labels: new Set<string>(),
    cadenceMs,
    sources: [{ kind: 'git', name: 'git', allowsScripts: false, place }],
    approvals: accounts.map(({ name, required, notAuthor }) => ({
      where: `name == "${name}"`,
      required,
      notAuthor,
      expireAfterMs: 24 * 3_600_000,
      place,
    })),
    windows: [],
    freezes:
      freeze === undefined
        ? []
        : [{ name: 'holidays', from: timeOf(freeze.from), until: timeOf(freeze.until), place }],
    overrun: 'pause',
    notifications: [
      {
        kind: 'webhook',
        name: 'people',
        kinds: notificationKinds,
        digestMs: null,
        url: { kind: 'variable', variable: receiverVariable },
      },
    ],
    pipelines: [],
  } as unknown as ServerSettings;
}

function timeOf(ms: number): string {
  return new Date(beginning + ms).toISOString();
}
