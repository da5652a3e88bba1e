import { writeSync } from 'node:fs';
import type { Clock } from '../../../core/lib/surroundings.ts';
import type { Provider } from '../provider/provider.ts';
import { selfSigned } from './certificate.ts';
import { crashText } from './crash.ts';
import { handshakeLine, readInvitation, reattachment } from './handshake.ts';
import { socketFolder } from './listener.ts';
import { writeStderr } from './log.ts';
import { OrphanWatch } from './orphan-watch.ts';
import { type PluginServer, startPluginServer } from './plugin-server.ts';
import type { MutualTls } from './transport.ts';

export interface PluginServeOptions {
  /** The provider's address in the registry: `registry.terraform.io/hashicorp/null`. */
  readonly address: string;
}

const graceMs = 200;
/** The response to a shutdown must be sent before the connection closes. */
const answerMs = 10;

/**
 * Runs a provider's process, started by Terraform or by hand with `--debug`. The provider is loaded after stdout is
 * redirected and crash output is set up, while Terraform connects.
 */
export async function servePlugin<Client>(
  load: () => Promise<Provider<Client>>,
  { address }: PluginServeOptions,
): Promise<void> {
  claimStdout();
  const life = ending();
  if (process.argv.includes('--debug')) await serveResident(load, life, address);
  else await serveOnce(load, life);
}

/** Serves one Terraform process, over mutual TLS if Terraform requests it, and ends with it. */
async function serveOnce<Client>(load: () => Promise<Provider<Client>>, life: Life): Promise<void> {
  const invitation = readInvitation(process.env);
  if (!invitation.ok) {
    writeStderr(`${invitation.reason}\n`);
    process.exit(1);
  }
  const { clientCertificate } = invitation;
  const own = clientCertificate === null ? null : selfSigned({ hosts: ['localhost'] });
  const tls: MutualTls | null =
    own === null || clientCertificate === null ? null : { ...own, peer: clientCertificate };
  const watch = new OrphanWatch(systemClock, () => void life.end(0));
  const server = await startPluginServer(load, {
    socketFolder: socketFolder(process.env, process.platform),
    tls,
    onOpened: () => watch.opened(),
    onClosed: () => watch.closed(),
    onShutdown: () => setTimeout(() => void life.end(0), answerMs),
  });
  life.begin(server);
  // The terminal sends SIGINT to the whole group; Terraform stops its providers with a call.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void life.end(0));
  writeStdout(handshakeLine(server.address, own?.der ?? null));
  await server.load();
}

/** Serves any number of Terraform processes, one after another or at the same time, until it is interrupted. */
async function serveResident<Client>(
  load: () => Promise<Provider<Client>>,
  life: Life,
  address: string,
): Promise<void> {
  const server = await startPluginServer(load, {
    socketFolder: socketFolder(process.env, process.platform),
    tls: null,
  });
  life.begin(server);
  process.on('SIGINT', () => void life.end(0));
  process.on('SIGTERM', () => void life.end(0));
  writeStdout(`TF_REATTACH_PROVIDERS='${reattachment(address, server.address, process.pid)}'\n`);
  await server.load();
}

interface Life {
  begin(server: PluginServer): void;
  end(code: number): Promise<void>;
}

/** The ways in which the process ends. All of them remove the socket; a crash first prints its reason. */
function ending(): Life {
  let server: PluginServer | null = null;
  let isEnding = false;
  const end = async (code: number): Promise<void> => {
    if (isEnding) return;
    isEnding = true;
    await server?.close(graceMs);
    process.exit(code);
  };
  process.on('uncaughtException', (error) => {
    writeStderr(crashText(error));
    void server?.close(0);
    process.exit(2);
  });
  return {
    begin: (started) => {
      server = started;
    },
    end,
  };
}

const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    }),
};

/** Stdout must contain exactly one line for Terraform: the rest goes to stderr. */
function claimStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

function writeStdout(text: string): void {
  writeSync(1, text);
}
