import { writeSync } from 'node:fs';
import type { Clock } from '../../../../core/lib/clock.ts';
import type { Provider } from '../provider/provider.ts';
import { selfSigned } from './certificate.ts';
import { crashText } from './crash.ts';
import { handshakeLine, readInvitation, reattachment } from './handshake.ts';
import { socketFolder } from './listener.ts';
import { writeStderr } from './log.ts';
import { OrphanWatch } from './orphan-watch.ts';
import { type PluginServer, startPluginServer } from './plugin-server.ts';
import type { MutualTls } from './transport.ts';

export interface ServeOptions {
  /** Where the registry has the provider: `registry.terraform.io/hashicorp/null`. */
  readonly address: string;
}

const graceMs = 200;
/** The answer to a shutdown leaves before the connection does. */
const answerMs = 10;

/**
 * The whole life of a provider's process: started by Terraform, or by hand with `--debug`. The provider is loaded when
 * stdout is out of its reach and crashes are shown, and Terraform already connects.
 */
export async function serve<Client>(
  load: () => Promise<Provider<Client>>,
  { address }: ServeOptions,
): Promise<void> {
  claimStdout();
  const life = ending();
  if (process.argv.includes('--debug')) await serveResident(load, life, address);
  else await serveOnce(load, life);
}

/** One Terraform process, over mutual TLS where it asks for it; ends with it. */
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
  // The terminal sends it to the whole group; Terraform stops its providers by a call.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => void life.end(0));
  writeStdout(handshakeLine(server.address, own?.der ?? null));
  await server.load();
}

/** Any number of Terraform processes, one after another or at once, until it is interrupted. */
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

/** The ways out: all of them remove the socket; a crash says why first. */
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

/** Stdout carries one line for Terraform, and any other before it breaks the start: the rest goes to stderr. */
function claimStdout(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

function writeStdout(text: string): void {
  writeSync(1, text);
}
