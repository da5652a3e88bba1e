import { type ChildProcess, spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished, type TestContext } from 'vitest';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulator, type Emulator } from '../../src/service/emulator/emulator.ts';
import type { CallInfo } from '../../src/service/emulator/fault.ts';
import { type FleetState, fleetState } from '../../src/service/emulator/fleet-state.ts';
import { type Served, serve } from '../../src/service/emulator/serve.ts';
import { givenGroups } from '../given/arbitrary-fleet.ts';
import type { GivenEntry } from '../given/desired.ts';
import { type FollowedProcess, followProcess } from '../given/follow-process.ts';
import { givenFolder } from '../given/given-folder.ts';
import { programEnvironment, programFor } from '../given/program.ts';
import { differences, repeatedInstalls } from './laws.ts';
import type { SmallFleet } from './small-fleets.ts';
import { toHostParts } from './world.ts';

/** A fleet behind a socket, a folder with its desired state, and the real program to run on it. */
export interface RealService {
  readonly emulator: Emulator;
  readonly initial: FleetState;
  /** From now on a call takes so long to arrive, in milliseconds. */
  setLatency(ms: number): void;
  /** What a dead process had sent is carried out before this resolves. */
  quiet(): Promise<void>;
  /** Called for each call that arrives from now on. */
  watch(onCall: (call: CallInfo) => void): void;
  /** `env` is added to the usual environment. */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): FollowedProcess;
  /** Where the process runs, with `fleet.yaml` in it. */
  readonly folder: string;
}

/** A cycle of six, a chain that ends at a doomed host, a swap, moves, installs and deletions: some thirty calls. */
export const someThirtyCalls: SmallFleet = {
  title: 'some thirty calls',
  switches: { installTakesMs: 3_600_000 },
  hosts: Array.from({ length: 24 }, (_, index) => ({
    id: index < 12 ? String(index + 1) : String(9007199254740993n + BigInt(index)),
    name: `host-${index}`,
    group: index % 2 === 0 ? 10 : -1,
    ...(index >= 15 && index < 18 ? { antivirus: 'missing' as const } : {}),
  })),
  entries: [
    ...Array.from({ length: 6 }, (_, index) => ({ id: index + 1, name: `host-${(index + 1) % 6}` })),
    ...Array.from({ length: 5 }, (_, index) => ({ id: index + 7, name: `host-${index + 7}` })),
    { id: 12, name: 'host-13' },
    { id: idAt(12), name: 'host-14', group: 'Munich' },
    { id: idAt(14), name: 'host-12', group: 'Berlin' },
    { id: idAt(13), ensure: 'absent' },
    ...[15, 16, 17].map((index) => ({ id: idAt(index), antivirus: true, group: 'Munich' })),
    ...[18, 19].map((index) => ({ id: idAt(index), ensure: 'absent' as const })),
  ],
};

function idAt(index: number): string {
  return String(9007199254740993n + BigInt(index));
}

const usualLatencyMs = 15;

export async function realService(
  fleet: SmallFleet,
  serveIt: (emulator: Emulator) => Promise<Served> = serve,
  /** Tests that run at the same time pass their own. */
  whenFinished: TestContext['onTestFinished'] = onTestFinished,
): Promise<RealService> {
  const initial = fleetState({
    groups: Object.entries(givenGroups).map(([id, name]) => ({ id, name })),
    hosts: fleet.hosts.map(toHostParts),
  });
  let latencyMs = usualLatencyMs;
  let onCall: (call: CallInfo) => void = () => {};
  const emulator = createEmulator({
    state: initial,
    clock: systemClock,
    switches: { ...fleet.switches },
    faults: () => [{ kind: 'latency', ms: latencyMs }],
    hooks: { beforeEach: (call) => onCall(call) },
  });
  const served = await serveIt(emulator);
  const folder = givenFolder();
  const children = new Set<ChildProcess>();
  whenFinished(async () => {
    for (const child of children) {
      child.kill('SIGKILL');
      // A stopped process dies when it continues.
      child.kill('SIGCONT');
    }
    await served.close();
    await rm(folder, { recursive: true, force: true });
  });
  await writeFile(join(folder, 'fleet.yaml'), toYaml(fleet.entries));
  const env = {
    ...programEnvironment,
    HOME: process.env['HOME'],
    RAMPART_BASE_URL: served.url,
    RAMPART_COMPANY_ID: emulator.credentials.companyId,
    RAMPART_PSK: emulator.credentials.psk,
  };
  return {
    emulator,
    initial,
    setLatency(ms) {
      latencyMs = ms;
    },
    async quiet() {
      const calls = emulator.requests.length;
      await systemClock.sleep(2 * latencyMs);
      if (emulator.requests.length !== calls) throw new Error('a dead process goes on sending');
      latencyMs = usualLatencyMs;
    },
    watch(listener) {
      onCall = listener;
    },
    folder,
    start(argv, more = {}) {
      const child = spawn(process.execPath, [programFor(more['NODE_OPTIONS']), ...argv], {
        cwd: folder,
        env: { ...env, ...more },
        stdio: 'pipe',
      });
      children.add(child);
      return followProcess(child);
    },
  };
}

function toYaml(entries: readonly GivenEntry[]): string {
  return [
    'version: 1',
    'policy: { limits: { delete: 100% } }',
    'hosts:',
    ...entries.map((entry) => `  - { ${attributesOf(entry).join(', ')} }`),
    '',
  ].join('\n');
}

function attributesOf({ id, name, previously, group, antivirus, ensure }: GivenEntry): readonly string[] {
  return [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(name === undefined ? [] : [`name: ${JSON.stringify(name)}`]),
    ...(previously === undefined ? [] : [`previously: ${JSON.stringify(previously)}`]),
    ...(group === undefined ? [] : [`group: ${JSON.stringify(group)}`]),
    ...(antivirus === true ? ['antivirus: installed'] : []),
    ...(ensure === undefined ? [] : [`ensure: ${ensure}`]),
  ];
}

/** The violations after a successful run; the laws that the service's state can show. */
export function findBreaches({ emulator, initial }: RealService): readonly string[] {
  const deletions = emulator.requests.filter(({ action }) => action === 'deleteHosts');
  return [
    ...differences({ fleet: someThirtyCalls, initial, edits: [], emulator }, { converged: true }),
    ...repeatedInstalls({ installs: () => emulator.installs }, 1),
    ...deletions
      .filter(({ status }) => status !== 204 && status !== null)
      .map(({ status, body }) => `a deletion returned ${status}: ${body}`),
  ];
}
