/** The emulator behind a socket, for the length of its parent's life: prints its address. */

import { systemClock } from '../../src/service/client/system-clock.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { idOf, nameOf } from './renames.ts';

const size = Number(process.argv[2]);
const hosts = Array.from({ length: size }, (_, index) => ({ id: idOf(index), name: nameOf(index, 0) }));
const emulator = createEmulator({
  state: fleetState({ groups: [], hosts }),
  clock: systemClock,
  recordRequests: false,
});
const { url } = await serve(emulator);
console.log(JSON.stringify({ url, ...emulator.credentials }));
process.on('disconnect', () => process.exit());
