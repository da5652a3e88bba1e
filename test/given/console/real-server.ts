import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readServerSettings } from '../../../src/server/settings/read-server-settings.ts';
import { startServer } from '../../../src/server/start/start-server.ts';
import { systemClock } from '../../../src/service/client/system-clock.ts';
import { type GivenAccount, type GivenAccounts, givenAccounts } from '../accounts.ts';
import { type GivenPerson, givenClient, startLoginProvider } from '../login-provider.ts';
import { listen } from '../loopback.ts';
import { hasPostgres, sharedPostgres } from '../postgres.ts';
import { builtConsole } from './built-console.ts';

/** A server with a login provider, its accounts emulated on a socket, behind a wire that a test can cut. */
export interface RealServer {
  readonly address: string;
  readonly given: GivenAccounts;
  /** Lines of its log at level warn and above. */
  readonly warnings: readonly string[];
  /** Who signs in next. */
  signIn(person: GivenPerson): void;
  cut(): void;
  restore(): void;
}

export interface RealServerOptions {
  readonly accounts: Readonly<Record<string, GivenAccount>>;
  readonly desired: string;
  /** A table that the desired state names. */
  readonly assets?: string;
  /** More lines below `server:`. */
  readonly server: string;
}

/** Runs in this process until the test is over. */
export async function startRealServer({
  accounts,
  desired,
  assets = '',
  server,
}: RealServerOptions): Promise<RealServer> {
  const given = await givenAccounts(accounts);
  const folder = await mkdtemp(join(tmpdir(), 'rampart-story-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const wire = await openWire();
  let person: GivenPerson | null = null;
  const { issuer } = await startLoginProvider({
    redirectUris: [`${wire.address}/login/callback`],
    person: () => person,
  });
  await writeFile(join(folder, 'fleet.yaml'), desired);
  await writeFile(join(folder, 'assets.csv'), assets);
  await writeFile(
    join(folder, 'rampart.config.yaml'),
    `${given.config}server:
  url: ${wire.address}
  cadence: 1m
  login:
    issuer: ${issuer}
    clientId: ${givenClient.id}
    clientSecretVariable: RAMPART_CLIENT_SECRET
    roles:
      - { group: admins, role: admin }
      - { group: approvers, role: approver }
      - { group: viewers, role: viewer }
${server}`,
  );
  const env = { ...given.env, RAMPART_CLIENT_SECRET: givenClient.secret };
  const settings = await readServerSettings({ folder, env, listen: '127.0.0.1:0' });
  if (!settings.ok) throw new Error(settings.problems.map(({ message }) => message).join('; '));
  const warnings: string[] = [];
  const started = await startServer({
    settings: settings.value,
    // The embedded database takes several times as long.
    ...(hasPostgres ? { databaseUrl: sharedPostgres().createDatabase() } : {}),
    env,
    clock: systemClock,
    log: (level, message, fields) => {
      if (level === 'warn' || level === 'error') warnings.push(`${message} ${JSON.stringify(fields ?? {})}`);
    },
    hide: () => {},
    version: '0.0.0',
    isEmulator: true,
    consoleFolder: await builtConsole(),
    has: { http: true, scheduler: true, worker: true },
  });
  if (!started.ok) throw new Error(started.problems.map(({ message }) => message).join('; '));
  onTestFinished(() => started.value.stop());
  const { parts } = started.value;
  wire.to(Number(new URL(parts.settings.listen.port === 0 ? (started.value.url ?? '') : wire.address).port));
  return {
    address: wire.address,
    given,
    warnings,
    signIn: (next) => {
      person = next;
    },
    cut: wire.cut,
    restore: wire.restore,
  };
}

/** A socket that passes everything on to a port that is known later. */
async function openWire() {
  const open = new Set<Socket>();
  let target: number | null = null;
  let isCut = false;
  const server = createServer((near) => {
    if (isCut || target === null) {
      near.destroy();
      return;
    }
    const far = connect(target, '127.0.0.1');
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        open.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  const port = await listen(server);
  return {
    address: `http://127.0.0.1:${port}`,
    to: (found: number) => {
      target = found;
    },
    cut: () => {
      isCut = true;
      for (const socket of open) socket.destroy();
    },
    restore: () => {
      isCut = false;
    },
  };
}
