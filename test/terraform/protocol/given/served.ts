import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  type PluginServer,
  startPluginServer,
} from '../../../../src/terraform/protocol/plugin/plugin-server.ts';
import type { Provider } from '../../../../src/terraform/protocol/provider/provider.ts';
import { type CoreClient, connect } from './grpc-client.ts';

export interface Served {
  readonly server: PluginServer;
  /** Its own connection, closed with the test. */
  connect(): CoreClient;
}

/** A provider in this process, served until the test is over. */
export async function served<Client>(provider: Provider<Client>): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'served-'));
  const server = await startPluginServer(async () => provider, { socketFolder: folder, tls: null });
  const clients: CoreClient[] = [];
  onTestFinished(async () => {
    for (const client of clients) client.close();
    await server.close(1000);
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    server,
    connect: () => {
      const client = connect(server.address);
      clients.push(client);
      return client;
    },
  };
}
