import type { Provider } from '../provider/provider.ts';
import { type ListenAddress, listen } from './listener.ts';
import type { ConnectionOptions, OpenConnection } from './open-connection.ts';

export interface PluginServerOptions extends ConnectionOptions {
  /** Null: a loopback port. */
  readonly socketFolder: string | null;
  readonly onOpened?: () => void;
  readonly onClosed?: () => void;
}

export interface PluginServer {
  readonly address: ListenAddress;
  /** Loads the code that handles calls, which otherwise happens on the first connection. */
  load(): Promise<void>;
  /** Ends all sessions; calls in progress have this long. */
  close(graceMs: number): Promise<void>;
}

/**
 * Serves a provider to any number of connections, each with its own session. Terraform can connect as soon as it
 * listens: the provider and gRPC are loaded meanwhile.
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
    const opening = load().then(([{ servePluginConnection }, provider]) =>
      servePluginConnection(provider, socket, options),
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
