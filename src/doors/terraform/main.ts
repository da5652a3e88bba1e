import { setFlagsFromString } from 'node:v8';
import { serve } from './protocol/plugin/serve.ts';
import { providerAddress } from './provider/address.ts';

// Terraform starts several processes of the provider in each command. V8 would let the space for new objects grow, which
// saves little time and doubles the memory.
setFlagsFromString('--semi-space-growth-factor=1');

void serve(
  async () => {
    const [{ rampartProvider }, { systemClock }] = await Promise.all([
      import('./provider/rampart-provider.ts'),
      import('../../service/client/system-clock.ts'),
    ]);
    return rampartProvider({ env: process.env, clock: systemClock });
  },
  { address: providerAddress },
);
