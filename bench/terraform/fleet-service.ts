import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';

export interface FleetService {
  /** What the provider reads its connection from. */
  readonly env: Readonly<Record<string, string>>;
  /** How many requests were answered since the previous call. */
  requests(): number;
  close(): Promise<void>;
}

/** The emulator on the loopback, without limits or latency. */
export async function serveFleet(
  hosts: readonly { readonly id: string; readonly name: string }[],
): Promise<FleetService> {
  const emulator = createEmulator({ state: fleetState({ hosts }), clock: systemClock });
  const { url, close } = await serve(emulator);
  const { companyId, psk } = emulator.credentials;
  let reported = 0;
  return {
    env: { RAMPART_BASE_URL: url, RAMPART_COMPANY_ID: companyId, RAMPART_PSK: psk },
    requests() {
      const since = emulator.requests.length - reported;
      reported = emulator.requests.length;
      return since;
    },
    close,
  };
}
