/** The emulator behind a socket, with an account of its calls, for the length of its parent's life. */
import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import type { FaultRule } from '../../src/service/emulator/fault.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { countWrong, groups, reorganization } from './reorganization.ts';
import type { Account, ServiceJob } from './service-job.ts';

const { size, largeIds, latencyMs, failing, reportAt } = JSON.parse(process.argv[2] ?? '') as ServiceJob;
const { before, after } = reorganization(size, { largeIds });
const faults: readonly FaultRule[] = [
  { effect: { kind: 'latency', ms: latencyMs } },
  ...(failing === undefined ? [] : [failing]),
];
let writes = 0;
const emulator = createEmulator({
  state: fleetState({ groups, hosts: before }),
  clock: systemClock,
  faults,
  hooks: {
    afterEach({ action }) {
      if (action !== 'renameHost' && action !== 'moveHosts') return;
      writes += 1;
      if (writes === reportAt) process.send?.('reached');
    },
  },
});
const { url } = await serve(emulator);

function account(): Account {
  const sent = emulator.requests.filter(({ method }) => method !== 'GET');
  return {
    calls: emulator.requests.length,
    refused: sent.filter(({ status }) => status !== 204).length,
    wrong: countWrong(after, emulator.state().hosts),
  };
}

process.on('message', () => process.send?.(account()));
process.on('disconnect', () => process.exit());
process.send?.({ url, ...emulator.credentials });
