import type { Clock } from '../../../core/lib/clock.ts';
import { ok, type Result } from '../../../core/problem/result.ts';
import { createEmulatedAccounts } from '../../../service/emulator/accounts.ts';
import type { Credentials } from '../../../service/emulator/credentials.ts';
import { serve } from '../../../service/emulator/serve.ts';
import { emulatedFleets } from './emulated-fleets.ts';
import { writeEmulatedProject } from './emulated-project.ts';

export interface EmulatedService {
  readonly url: string;
  /** The accounts that are paused in the example. */
  readonly paused: readonly string[];
  close(): Promise<void>;
}

/** Serves the emulated accounts on this machine, and writes their project to a folder. */
export async function openEmulatedService(folder: string, clock: Clock): Promise<Result<EmulatedService>> {
  const fleets = emulatedFleets(clock.now());
  const emulated = createEmulatedAccounts(
    fleets.map(({ state, service }) => ({ ...service, clock, recordRequests: false, state })),
  );
  if (!emulated.ok) return emulated;
  const { credentials } = emulated.value;
  writeEmulatedProject(
    folder,
    fleets.map((fleet, at) => ({ ...fleet, credentials: credentials[at] as Credentials })),
  );
  const served = await serve(emulated.value);
  return ok({
    url: served.url,
    paused: fleets.flatMap(({ name, story }) => (story === 'paused' ? [name] : [])),
    close: () => served.close(),
  });
}
