import type { Socket } from 'node:net';
import type { Provider } from '../provider/provider.ts';
import { Session } from '../service/session.ts';
import { methodsOf } from './plugin-methods.ts';
import { type MutualTls, serveConnection } from './transport.ts';

export interface ConnectionOptions {
  /** Null: unencrypted. */
  readonly tls: MutualTls | null;
  /** Terraform asks the provider to end. */
  readonly onShutdown?: () => void;
}

export interface OpenConnection {
  /** Stops the session; calls in progress have this long. */
  close(graceMs: number): Promise<void>;
}

/** Serves a provider on an accepted connection, in its own session. */
export function servePluginConnection<Client>(
  provider: Provider<Client>,
  socket: Socket,
  { tls, onShutdown }: ConnectionOptions,
): OpenConnection {
  const session = new Session(provider);
  const connection = serveConnection(
    socket,
    methodsOf(session, () => onShutdown?.()),
    tls,
  );
  return {
    close: async (graceMs) => {
      await session.close().catch(() => undefined);
      await connection.close(graceMs);
    },
  };
}
