import type { Credentials } from '../../client/credentials.ts';
import type { Exchange } from '../../contract/message.ts';
import { createEmulator } from '../../emulator/emulator.ts';
import type { FleetState } from '../../emulator/fleet-state.ts';
import { generateFleet } from '../../emulator/generate.ts';
import { printSeed } from '../../emulator/print-seed.ts';
import { readSeed } from '../../emulator/seed.ts';
import type { Account } from '../../model/account.ts';
import { ok, type Result } from '../../problem/result.ts';
import type { Context } from '../shell/context.ts';
import { readText, writeWhole } from '../shell/files.ts';
import type { EmulatorSettings } from '../shell/settings.ts';

export interface EmulatedService {
  readonly exchange: Exchange;
  readonly credentials: Credentials;
  readonly account: Account;
  /** Writes the fleet to the state file, where there is one. */
  readonly close: () => Promise<Result<null>>;
}

/** How many hosts there are where no seed says it. */
export const sampleHosts = 40;

/** The service embedded in this process: its fleet comes from the state file if it is there, else from the seed. */
export async function openEmulator(
  context: Context,
  { seed, state }: EmulatorSettings,
): Promise<Result<EmulatedService>> {
  const fleet = await openingFleet(context, { seed, state });
  if (!fleet.ok) return fleet;
  const emulator = createEmulator({ state: fleet.value, clock: context.io.clock });
  const { companyId, psk } = emulator.credentials;
  return ok({
    exchange: emulator.exchange,
    credentials: { kind: 'basic', companyId, psk },
    account: { companyId, service: 'emulator' },
    close: async () =>
      state === undefined ? ok(null) : writeWhole(context.path(state), state, printSeed(emulator.state())),
  });
}

async function openingFleet(
  context: Context,
  { seed, state }: { readonly seed?: string | undefined; readonly state?: string | undefined },
): Promise<Result<FleetState>> {
  if (state !== undefined) {
    const kept = await readText(context.path(state), state);
    if (kept.ok) return readSeed(kept.value, state);
    if (kept.problems.some((each) => each.code !== 'file-missing')) return kept;
  }
  return openingState(context, { seed, hosts: sampleHosts });
}

/** A fleet from a seed file, or a made-up one of so many hosts. */
export async function openingState(
  context: Context,
  { seed, hosts }: { readonly seed: string | undefined; readonly hosts: number },
): Promise<Result<FleetState>> {
  if (seed === undefined) return ok(generateFleet({ hosts }));
  const text = await readText(context.path(seed), seed);
  return text.ok ? readSeed(text.value, seed) : text;
}
