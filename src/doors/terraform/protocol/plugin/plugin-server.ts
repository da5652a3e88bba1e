import type { Provider } from '../provider/provider.ts';
import { type Address, listen } from './listener.ts';
import type { ConnectionOptions, OpenConnection } from './open-connection.ts';

export interface PluginServerOptions extends ConnectionOptions {
  /** Null: a port of the loopback. */
  readonly socketFolder: string | null;
  readonly onOpened?: () => void;
  readonly onClosed?: () => void;
}

export interface PluginServer {
  readonly address: Address;
  /** Loads what answers calls, which the first connection does otherwise. */
  load(): Promise<void>;
  /** Ends all sessions; calls under way have this long. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves a provider to any number of connections, each with a session of its own. Only listening is needed for
 * Terraform to connect: the provider, and gRPC itself, are loaded while it does.
 */
export async function startPluginServer<Client>(
  loadProvider: () => Promise<Provider<Client>>,
  { socketFolder, onOpened, onClosed, ...options }: PluginServerOptions,
): Promise<PluginServer> {
  const live = new Set<Promise<OpenConnection>>();
  const parts = () => Promise.all([import('./open-connection.ts'), loadProvider()]);
  let loaded: ReturnType<typeof parts> | undefined;
  const load = () => (loaded ??= parts());
  const listener = await listen(socketFolder, (socket) => {
    const opening = load().then(([{ openConnection }, provider]) =>
      openConnection(provider, socket, options),
    );
    live.add(opening);
    onOpened?.();
    socket.once('error', () => socket.destroy());
    socket.once('close', () => {
      live.delete(opening);
      void opening.then((connection) => connection.close(0));
      onClosed?.();
    });
  });
  return {
    address: listener.address,
    load: async () => void (await load()),
    close: async (graceMs) => {
      listener.close();
      await Promise.allSettled([...live].map(async (opening) => (await opening).close(graceMs)));
    },
  };
}
