import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export interface ListServer {
  /** What the command line needs to read the list. */
  readonly env: Readonly<Record<string, string>>;
  stop(): void;
}

/** A list with this many hosts, served by a separate process. */
export async function startListServer(hosts: number): Promise<ListServer> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'serve-list.ts'), String(hosts)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  return {
    env: {
      RAMPART_BASE_URL: `http://127.0.0.1:${port.toString().trim()}`,
      RAMPART_COMPANY_ID: '1',
      RAMPART_PSK: 'bench-only-not-a-secret',
    },
    stop: () => server.kill(),
  };
}
