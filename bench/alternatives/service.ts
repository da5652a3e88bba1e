import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Account, Address, ServiceJob } from './service-job.ts';

export interface Service extends Address {
  readonly account: () => Promise<Account>;
  /** Resolves when as many writes have come as the job names. */
  readonly reached: Promise<void>;
  readonly close: () => void;
}

/** Starts a service in a separate process. */
export async function startService(job: ServiceJob): Promise<Service> {
  const child = fork(join(import.meta.dirname, 'server.ts'), [JSON.stringify(job)]);
  const [address] = (await once(child, 'message')) as [Address];
  const reached = new Promise<void>((resolve) => {
    child.on('message', (message) => {
      if (message === 'reached') resolve();
    });
  });
  return {
    ...address,
    reached,
    async account() {
      const answer = new Promise<Account>((resolve) => {
        child.on('message', (message) => {
          if (typeof message === 'object') resolve(message as Account);
        });
      });
      child.send('account');
      return answer;
    },
    close: () => child.disconnect(),
  };
}
