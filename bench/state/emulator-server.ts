import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Account } from '../../src/core/model/account.ts';

export interface EmulatorServer {
  /** What the command line needs to use it. */
  readonly env: Readonly<Record<string, string>>;
  readonly account: Account;
  stop(): void;
}

/** The emulator with this many hosts behind a socket, in a separate process. */
export async function startEmulatorServer(hosts: number): Promise<EmulatorServer> {
  const server = fork(join(import.meta.dirname, '../loopback/server.ts'), [String(hosts)], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (server.stdout === null) throw new Error('the server has no output');
  const [line] = (await once(server.stdout, 'data')) as [Buffer];
  const { url, companyId, psk } = JSON.parse(line.toString()) as Record<'url' | 'companyId' | 'psk', string>;
  return {
    env: { RAMPART_BASE_URL: url, RAMPART_COMPANY_ID: companyId, RAMPART_PSK: psk },
    account: { companyId, service: url },
    stop: () => server.disconnect(),
  };
}
