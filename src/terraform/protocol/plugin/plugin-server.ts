import type { Provider } from '../provider/provider.ts';
import { Session } from '../service/session.ts';
import { type Address, listen } from './listener.ts';
import { methodsOf } from './plugin-methods.ts';
import { type Connection, type MutualTls, serveConnection } from './transport.ts';

export interface PluginServerOptions {
  /** Null: a port of the loopback. */
  readonly socketFolder: string | null;
  /** Null: in the clear. */
  readonly tls: MutualTls | null;
  readonly onOpened?: () => void;
  readonly onClosed?: () => void;
  /** Terraform asks the provider to end. */
  readonly onShutdown?: () => void;
}

export interface PluginServer {
  readonly address: Address;
  /** Ends all sessions; calls under way have this long. */
  close(graceMs: number): Promise<void>;
}

/** Serves a provider to any number of connections, each with a session of its own. */
export async function startPluginServer<Client>(
  provider: Provider<Client>,
  options: PluginServerOptions,
): Promise<PluginServer> {
  const live = new Map<Connection, Session<Client>>();
  const listener = await listen(options.socketFolder, (socket) => {
    const session = new Session(provider);
    const methods = methodsOf(session, () => options.onShutdown?.());
    const connection = serveConnection(socket, methods, options.tls);
    live.set(connection, session);
    options.onOpened?.();
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      live.delete(connection);
      void session.close().catch(() => undefined);
      void connection.close(0);
      options.onClosed?.();
    });
  });
  return {
    address: listener.address,
    close: async (graceMs) => {
      listener.close();
      await Promise.all(
        [...live].map(async ([connection, session]) => {
          await session.close().catch(() => undefined);
          await connection.close(graceMs);
        }),
      );
    },
  };
}
