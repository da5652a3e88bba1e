import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { reattachment } from '../../../../src/terraform/protocol/plugin/handshake.ts';
import { startPluginServer } from '../../../../src/terraform/protocol/plugin/plugin-server.ts';
import type { Provider } from '../../../../src/terraform/protocol/provider/provider.ts';

/** A provider that runs in the test itself; gives the environment that makes Terraform use it. Needs no `init`. */
export async function attached<Client>(
  address: string,
  provider: Provider<Client>,
): Promise<Readonly<Record<string, string>>> {
  const folder = mkdtempSync(join(tmpdir(), 'attached-'));
  const server = await startPluginServer(async () => provider, { socketFolder: folder, tls: null });
  onTestFinished(async () => {
    await server.close(0);
    rmSync(folder, { recursive: true, force: true });
  });
  return { TF_REATTACH_PROVIDERS: reattachment(address, server.address, process.pid) };
}
