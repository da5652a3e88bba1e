import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createServerLog } from '../../src/run/telemetry/server-log.ts';
import type { StoreDb } from '../../src/server/database/query.ts';
import { readServerSettings } from '../../src/server/settings/read-server-settings.ts';
import { routes } from '../../src/server/start/routes.ts';
import { startServer } from '../../src/server/start/start-server.ts';
import { systemClock } from '../../src/service/client/system-clock.ts';
import { givenAccounts } from '../given/accounts.ts';
import { givenClient, startLoginProvider } from '../given/login-provider.ts';
import { listen } from '../given/loopback.ts';
import { forgedToken } from './sign-in/forged-token.ts';
import { openBrowser } from './sign-in/given.ts';

/** Secrets of the operator, each of its own kind. */
const canaries = {
  RAMPART_PSK: `psk+${'cAnArY/1'.repeat(16)}`,
  RAMPART_LOGIN_SECRET: givenClient.secret,
  RAMPART_GIT_TOKEN: 'git-token-canary-5f2e8a7b',
  RAMPART_HOOK_SECRET: 'hook-secret-canary-91c4d6e0',
  RAMPART_CHAT_URL: '',
  RAMPART_SIGNING_SECRET: 'signing-secret-canary-3a7f',
  RAMPART_SMTP_PASSWORD: 'smtp-password-canary-77b1',
};

/** A service that refuses everything, and repeats each request: the most that a response can reveal. */
async function startEcho() {
  const paths: string[] = [];
  const port = await listen(
    createServer((request, response) => {
      paths.push(request.url ?? '');
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.write(`${request.url} ${JSON.stringify(request.headers)} `);
      request.pipe(response);
    }),
  );
  return { port, paths };
}

async function startForge() {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const port = await listen(
    createServer((request, response) => {
      const issuer = `http://127.0.0.1:${port}`;
      response.end(
        JSON.stringify(request.url === '/jwks' ? { keys: [jwk] } : { issuer, jwks_uri: `${issuer}/jwks` }),
      );
    }),
  );
  const issuer = `http://127.0.0.1:${port}`;
  const claims = { iss: issuer, aud: 'rampart', sub: 'job', jti: 'job-1', repository_id: '1' };
  return { issuer, jwt: await forgedToken(privateKey, claims) };
}

const home = 'http://127.0.0.1:4567';

test('no secret is in the log, a response, an event, the metrics, the database or a file of the server', async () => {
  const { port: echo, paths: repeated } = await startEcho();
  const provider = await startLoginProvider({
    redirectUris: [`${home}/login/callback`],
    person: () => ({ sub: 'root', name: 'Root', email: 'root@example.com', groups: ['platform'] }),
  });
  const forge = await startForge();
  const accounts = await givenAccounts({
    berlin: { psk: canaries.RAMPART_PSK, mode: 'propose', hosts: [{ id: '1', name: 'PC-1' }] },
  });
  const folder = mkdtempSync(join(tmpdir(), 'rampart-secrets-'));
  writeFileSync(join(folder, 'fleet.yaml'), 'version: 1\nhosts:\n  - { id: 1, name: LOBBY }\n');
  writeFileSync(
    join(folder, 'rampart.config.yaml'),
    `${accounts.config.replace('mode: propose', 'mode: propose, source: files')}
server:
  url: ${home}
  listen: 127.0.0.1:0
  allow: [127.0.0.0/8]
  sources:
    - { name: files, folder: . }
    - { name: gone, git: 'https://127.0.0.1:${echo}/fleet.git', tokenVariable: RAMPART_GIT_TOKEN, webhookSecretVariable: RAMPART_HOOK_SECRET }
  login:
    issuer: ${provider.issuer}
    clientId: ${givenClient.id}
    clientSecretVariable: RAMPART_LOGIN_SECRET
    roles: [{ group: platform, role: admin }]
  pipelines:
    - { issuer: '${forge.issuer}', audience: rampart, claims: { repository_id: '1' }, role: operator }
  notifications:
    - { name: chat, kind: slack, urlVariable: RAMPART_CHAT_URL }
    - { name: hook, kind: webhook, urlVariable: RAMPART_CHAT_URL, secretVariable: RAMPART_SIGNING_SECRET }
    - { name: mail, kind: email, smtp: { host: 127.0.0.1, port: ${echo}, user: rampart, passwordVariable: RAMPART_SMTP_PASSWORD }, from: a@example.com, to: [b@example.com] }
`,
  );
  const chatUrl = `http://127.0.0.1:${echo}/services/chat-url-canary-2b9d`;
  const env = { ...accounts.env, ...canaries, RAMPART_CHAT_URL: chatUrl };
  const settings = await readServerSettings({ folder, env });
  if (!settings.ok) throw new Error(JSON.stringify(settings.problems));

  const lines: string[] = [];
  const hidden = new Set<string>();
  // Nothing is redacted here: redaction is the last defense, and must not be the only one.
  const log = createServerLog({
    clock: systemClock,
    level: 'debug',
    redact: (text) => text,
    write: (line) => lines.push(line),
  });
  const started = await startServer({
    settings: settings.value,
    env,
    clock: systemClock,
    log,
    hide: (secrets) => secrets.forEach((each) => hidden.add(each)),
    version: '0.1.0',
    isEmulator: false,
    has: { http: true, scheduler: true, worker: true },
  });
  if (!started.ok) throw new Error(JSON.stringify(started.problems));
  const { url, parts, stop } = started.value;
  let isStopped = false;
  const end = async () => {
    if (!isStopped) await stop();
    isStopped = true;
  };
  onTestFinished(end);

  const answers: string[] = [];
  const found: Record<string, string> = {};
  const send = async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    return fetch(new Request(`${url}${pathname}${search}`, request));
  };
  const browser = openBrowser(home, send);
  const ask = async (path: string, init: RequestInit = {}) => {
    const { status, text, headers } = await browser.request(path, init);
    answers.push(`${path} ${text} ${[...headers].filter(([name]) => name !== 'set-cookie').join(' ')}`);
    return { status, text };
  };

  await browser.visit('/login', (next) => next === `${home}/`);
  found['cookie'] = browser.jar.get('rampart-session') ?? '';
  const { body: me } = await browser.me();
  found['csrf'] = String(me.csrf);
  const write = (path: string, body: unknown) =>
    ask(path, {
      method: 'POST',
      headers: {
        'x-rampart-csrf': found['csrf'] ?? '',
        'content-type': 'application/json',
        'idempotency-key': path,
      },
      body: JSON.stringify(body),
    });
  const exchanged = await browser.request('/api/v1/exchange', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: forge.jwt }),
  });
  found['pipeline token'] = (JSON.parse(exchanged.text) as { token: string }).token;
  const created = await browser.request('/api/v1/tokens', {
    method: 'POST',
    headers: {
      'x-rampart-csrf': found['csrf'],
      'content-type': 'application/json',
      'idempotency-key': 'token',
    },
    body: JSON.stringify({ name: 'script', grants: [{ role: 'viewer' }], expires_in_days: 1 }),
  });
  found['token'] = (JSON.parse(created.text) as { token: string }).token;

  await write('/api/v1/accounts/check', { all: true });
  const account = await vi.waitFor(
    async () => {
      const { text } = await ask('/api/v1/accounts/berlin');
      const read = JSON.parse(text) as { last_check_at: string | null; plan: { id: string } | null };
      expect(read.last_check_at).not.toBe(null);
      return read;
    },
    { timeout: 60_000, interval: 250 },
  );
  for (const name of ['chat', 'hook', 'mail']) await write(`/api/v1/notifications/${name}/test`, {});
  const params: Readonly<Record<string, string>> = {
    '/api/v1/accounts/{name}': '/api/v1/accounts/berlin',
    '/api/v1/plans/{id}': `/api/v1/plans/${account.plan?.id ?? 'none'}`,
  };
  for (const { path, method, id } of routes) {
    if (method !== 'get' || id === 'streamEvents') continue;
    const known = Object.entries(params).find(([prefix]) => path.startsWith(prefix));
    await ask(
      known === undefined ? path.replace('{id}', 'x') : path.replace(known[0], known[1]).replace('{id}', '1'),
    );
  }
  await ask('/metrics');
  await ask('/readyz');
  await ask('/login/callback?code=x&state=y');
  await ask(`/api/v1/me?token=${found['token']}`);
  const events = await parts.store.events.after('0-0', 'all');
  const database = await dumpOf(parts.store.db);
  await end();

  const secrets: Readonly<Record<string, string>> = {
    ...canaries,
    ...found,
    RAMPART_CHAT_URL: 'chat-url-canary-2b9d',
    job: forge.jwt,
  };
  const { csrf: _csrf, ...others } = secrets;
  const places = {
    log: lines.join('\n'),
    events: JSON.stringify(events),
    database,
    files: filesBelow(folder),
  };
  expect(places.database).toContain('berlin');
  expect(places.log).not.toBe('');
  expect(repeated).toContain('/services/chat-url-canary-2b9d');
  for (const [name, secret] of Object.entries(secrets)) {
    expect([name, secret.length > 10]).toEqual([name, true]);
    for (const [place, text] of Object.entries(places)) {
      expect([name, place, text.includes(secret)]).toEqual([name, place, false]);
    }
  }
  // The text against forged writes is for the page of the session itself.
  for (const [name, secret] of Object.entries(others)) {
    const leaks = answers.filter((each) => each.split(' ').slice(1).join(' ').includes(secret));
    expect([name, leaks]).toEqual([name, []]);
  }
  for (const name of ['RAMPART_LOGIN_SECRET', 'token', 'pipeline token']) {
    expect([name, hidden.has(secrets[name] ?? '')]).toEqual([name, true]);
  }
}, 240_000);

async function dumpOf(db: StoreDb): Promise<string> {
  const { rows: tables } = await sql<{ schema: string; name: string }>`
    select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
  `.execute(db);
  const texts: string[] = [];
  for (const { schema, name } of tables) {
    const { rows } = await sql`select * from ${sql.id(schema, name)}`.execute(db);
    texts.push(`${schema}.${name} ${JSON.stringify(rows)}`);
  }
  return texts.join('\n');
}

/** What the server wrote itself, as bytes. The pages of the database are among it. */
function filesBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}
