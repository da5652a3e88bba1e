import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface ListenAddress {
  readonly network: 'unix' | 'tcp';
  /** A path, or `127.0.0.1:port`. */
  readonly text: string;
}

export interface Listener {
  readonly address: ListenAddress;
  /** Accepts no more connections, and removes the socket's file. */
  close(): void;
}

/**
 * Listens on a socket in a folder, or on a free loopback port if such sockets are not available. Only the user can
 * connect to the socket, whatever the folder and the mask of new files allow: a provider with --debug requires no
 * certificate.
 */
export function listen(folder: string | null, onConnection: (socket: Socket) => void): Promise<Listener> {
  const path = folder === null ? null : join(folder, `plugin-${randomBytes(6).toString('hex')}`);
  const server = createServer({ noDelay: true }, onConnection);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const onListening = (): void => {
      const at = server.address();
      const text = typeof at === 'string' || at === null ? String(at) : `127.0.0.1:${at.port}`;
      resolve({
        address: { network: path === null ? 'tcp' : 'unix', text },
        close: () => {
          server.close();
          if (path !== null) rmSync(path, { force: true });
        },
      });
    };
    if (path === null) {
      server.listen(0, '127.0.0.1', onListening);
      return;
    }
    // The socket is created before this call returns.
    const mask = process.umask(0o177);
    server.listen(path, onListening);
    process.umask(mask);
  });
}

/** The folder for the socket, which Terraform may set. Windows has none. */
export function socketFolder(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | null {
  return platform === 'win32' ? null : (env['PLUGIN_UNIX_SOCKET_DIR'] ?? tmpdir());
}
