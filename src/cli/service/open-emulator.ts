import type { Account } from '../../core/model/account.ts';
import { ok, type Result } from '../../core/problem/problem.ts';
import type { Credentials } from '../../service/client/credentials.ts';
import type { Exchange } from '../../service/contract/message.ts';
import { createEmulator } from '../../service/emulator/emulator.ts';
import type { FleetState } from '../../service/emulator/fleet-state.ts';
import { generateFleet } from '../../service/emulator/generate.ts';
import { printSeed } from '../../service/emulator/print-seed.ts';
import { readSeed } from '../../service/emulator/seed.ts';
import type { Context } from '../shell/context.ts';
import { readTextFile, writeWhole } from '../shell/files.ts';
import type { EmulatorSettings } from '../shell/settings.ts';
import { readSeedFile, sampleHosts } from './emulated-accounts.ts';
import { readEmulatorSettings } from './emulator-settings.ts';

export interface OpenedEmulator {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly account: Account;
  /** Writes the fleet to the state file, if there is one. */
  readonly close: () => Promise<Result<null>>;
}

/** The service embedded in this process. Its fleet comes from the state file if it exists, else from the seed. */
export async function openEmulator(
  context: Context,
  flags: EmulatorSettings,
): Promise<Result<OpenedEmulator>> {
  const { state, set } = flags;
  const settings = await readEmulatorSettings(context, '--emulator-set', set);
  if (!settings.ok) return settings;
  const fleet = await openingFleet(context, flags);
  if (!fleet.ok) return fleet;
  const emulator = createEmulator({ ...settings.value, state: fleet.value, clock: context.io.clock });
  const { companyId, psk } = emulator.credentials;
  return ok({
    exchange: emulator.exchange,
    credentials: { kind: 'basic', companyId, psk },
    account: { companyId, service: 'emulator' },
    close: async () => (state === undefined ? ok(null) : save(context, state, printSeed(emulator.state()))),
  });
}

async function save(context: Context, file: string, text: string): Promise<Result<null>> {
  const path = context.path(file);
  return writeWhole(path, file, text, { makesFolder: true });
}

async function openingFleet(
  context: Context,
  { seed, state }: EmulatorSettings,
): Promise<Result<FleetState>> {
  if (state !== undefined) {
    const saved = await readTextFile(context.path(state), state);
    if (saved.ok) return readSeed(saved.value, state, context.io.clock.now());
    if (saved.problems.some((each) => each.code !== 'file-missing')) return saved;
  }
  return seed === undefined ? ok(generateFleet({ hosts: sampleHosts })) : readSeedFile(context, seed);
}
