import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/core/lib/surroundings.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createEmulatedAccounts } from '../../src/service/emulator/accounts.ts';
import type { Emulator, EmulatorOptions } from '../../src/service/emulator/emulator.ts';
import { type FleetParts, fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { testPsk } from './command-line.ts';

/** Accounts of one emulated service on a socket, and the configuration and environment that reach them. */
export interface GivenAccounts {
  readonly names: readonly string[];
  readonly emulators: ReadonlyMap<string, Emulator>;
  readonly env: Readonly<Record<string, string>>;
  /** The `accounts:` of rampart.config.yaml. */
  readonly config: string;
  /** How many write requests an account has received. */
  writesOf(name: string): number;
}

export interface GivenAccount extends FleetParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly mode?: string;
  /** Change windows of its operator, as a list of YAML. */
  readonly windows?: string;
  /** The change ticket that its operator requires, as a mapping of YAML. */
  readonly ticket?: string;
  readonly faults?: EmulatorOptions['faults'];
  readonly hooks?: EmulatorOptions['hooks'];
}

export async function givenAccounts(
  accounts: Readonly<Record<string, GivenAccount>>,
  /** Without it, the time of the service passes at once. */
  ofService?: Clock,
): Promise<GivenAccounts> {
  const names = Object.keys(accounts);
  const clock = ofService ?? createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const companyOf = (at: number) => String(1000 + at);
  const options = Object.values(accounts).map(
    ({ faults, hooks, ...account }, at): EmulatorOptions => ({
      state: fleetState({ psk: testPsk, companyId: companyOf(at), ...account }),
      clock,
      recordRequests: true,
      credentials: { loginSessionId: `session-${at}` },
      ...(faults === undefined ? {} : { faults }),
      ...(hooks === undefined ? {} : { hooks }),
    }),
  );
  const emulated = createEmulatedAccounts(options);
  if (!emulated.ok) throw new Error(emulated.problems[0]?.message);
  const served = await serve(emulated.value);
  onTestFinished(() => served.close());
  const emulators = new Map(
    names.flatMap((name, at) => {
      const emulator = emulated.value.accounts[at];
      return emulator === undefined ? [] : [[name, emulator] as const];
    }),
  );
  const config = names.map((name, at) => {
    const { labels = {}, mode = 'correct', windows = '[]', ticket } = accounts[name] ?? {};
    const required = ticket === undefined ? '' : `, ticket: ${ticket}`;
    return `  ${name}: { companyId: "${companyOf(at)}", mode: ${mode}, labels: ${JSON.stringify(labels)}, windows: ${windows}${required} }`;
  });
  return {
    names,
    emulators,
    env: { RAMPART_BASE_URL: served.url, RAMPART_PSK: testPsk },
    config: `defaults: { files: [fleet.yaml] }\naccounts:\n${config.join('\n')}\n`,
    writesOf: (name) => emulators.get(name)?.requests.filter(({ method }) => method !== 'GET').length ?? 0,
  };
}
