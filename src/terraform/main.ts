import { servePlugin } from './protocol/plugin/serve.ts';
import { keepSmall } from './protocol/plugin/short-process.ts';
import { providerAddress } from './provider/address.ts';

keepSmall();

void servePlugin(
  async () => {
    const [{ rampartProvider }, { systemClock }] = await Promise.all([
      import('./provider/rampart-provider.ts'),
      import('../service/client/system-clock.ts'),
    ]);
    return rampartProvider({ env: process.env, clock: systemClock });
  },
  { address: providerAddress },
);
