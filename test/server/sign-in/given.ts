import { afterAll, beforeAll } from 'vitest';
import type { Me } from '../../../src/api/overview.ts';
import type { Problem } from '../../../src/core/problem/problem.ts';
import type { AuditLog } from '../../../src/run/state/audit/audit-log.ts';
import { parseRecord } from '../../../src/run/state/audit/chain.ts';
import type { State } from '../../../src/run/state/interface/state.ts';
import { postgresStateOn } from '../../../src/run/state/postgres/postgres-state.ts';
import type { Peer } from '../../../src/server/http/route.ts';
import type { LoginSettings, ServerSettings } from '../../../src/server/settings/server-settings.ts';
import { openLogin } from '../../../src/server/sign-in/routes/open-login.ts';
import type { LoginParts } from '../../../src/server/sign-in/rules/acts.ts';
import { hashOfSecret, randomSecret } from '../../../src/server/sign-in/rules/secret-text.ts';
import { createHttp } from '../../../src/server/start/create-http.ts';
import { openStore, type Store } from '../../../src/server/store/open-store.ts';
import { givenClient } from '../../given/login-provider.ts';
import { type TakenPglite, takePglite } from '../../given/taken-pglite.ts';
import { httpParts, settingsOf } from '../http/given.ts';

export interface GivenDatabase {
  readonly store: Store;
  readonly audit: AuditLog;
  readonly state: State;
  run(sql: string): Promise<readonly Record<string, unknown>[]>;
}

/** One database in this process for a test file. */
export function givenDatabase(): GivenDatabase {
  let taken: TakenPglite | undefined;
  let made: Omit<GivenDatabase, 'run'> | undefined;
  beforeAll(async () => {
    taken = await takePglite();
    const { database } = taken;
    const store = openStore(database);
    const state = postgresStateOn(database);
    made = { store, state, audit: state.audit };
  }, 60_000);
  afterAll(async () => {
    await taken?.giveBack();
  });
  const ready = () => {
    if (made === undefined) throw new Error('only inside a test');
    return made;
  };
  return {
    get store() {
      return ready().store;
    },
    get state() {
      return ready().state;
    },
    get audit() {
      return ready().audit;
    },
    run: async (sql) => (await taken?.pglite.query<Record<string, unknown>>(sql))?.rows ?? [],
  };
}

/** People sign in at a provider, which no test asks. */
export const givenLogin: LoginSettings = {
  issuer: 'https://login.example.com',
  clientId: givenClient.id,
  clientSecret: { kind: 'variable', variable: 'CLIENT_SECRET' },
  groupsClaim: 'groups',
  scopes: ['openid'],
  session: { idleMs: 3_600_000, lifeMs: 3_600_000 },
  roles: [],
};

const here: Peer = { address: '127.0.0.1' };

/** The API and signing in, without a socket. */
export function givenServer(
  { store, audit }: Pick<GivenDatabase, 'store' | 'audit'>,
  changed: Partial<ServerSettings> = {},
  more: Partial<LoginParts> = {},
) {
  const settings = settingsOf({ url: 'http://127.0.0.1:4567', ...changed });
  const secrets: string[] = [];
  const problems: Problem[] = [];
  const links: string[] = [];
  let now = Date.now();
  const parts: LoginParts = {
    settings,
    store,
    audit,
    clock: { now: () => now, sleep: async () => {} },
    env: { CLIENT_SECRET: givenClient.secret },
    hide: (each) => secrets.push(...each),
    url: () => settings.url ?? 'http://127.0.0.1:4567',
    onLink: (link) => links.push(link),
    onProblem: (each) => problems.push(each),
    ...more,
  };
  const login = openLogin(parts);
  const http = createHttp(httpParts({ settings, identify: login.identify, mount: login.mount }));
  return {
    login,
    http,
    settings,
    secrets,
    problems,
    links,
    pass: (ms: number) => {
      now += ms;
    },
    browser: (peer: Peer = here) => openBrowser(parts.url(), (request) => http.fetch(request, peer)),
  };
}

export const exchangePeer: Peer = { address: '192.0.2.20' };

/** The request of a job that exchanges its token. */
export async function postExchange(
  { http }: Pick<ReturnType<typeof givenServer>, 'http'>,
  body: string,
  { type = 'application/json', query = '' } = {},
): Promise<Response> {
  const headers = { host: '127.0.0.1:4567', 'content-type': type };
  const address = `http://127.0.0.1:4567/api/v1/exchange${query}`;
  return http.fetch(new Request(address, { method: 'POST', headers, body }), exchangePeer);
}

export interface Visit {
  readonly status: number;
  readonly url: string;
  readonly headers: Headers;
  readonly text: string;
}

/** A browser without scripts: it keeps cookies by origin, and follows redirects. */
export function openBrowser(home: string, answer: (request: Request) => Promise<Response>) {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>();
    jars.set(origin, jar);
    return jar;
  };

  async function request(target: string, init: RequestInit = {}): Promise<Visit> {
    const url = new URL(target, home);
    const jar = jarOf(url.origin);
    const headers = new Headers(init.headers);
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    headers.set('host', url.host);
    if (!headers.has('accept')) headers.set('accept', 'text/html,application/json');
    const sent = new Request(url, { ...init, headers, redirect: 'manual' });
    const reply = url.origin === new URL(home).origin ? await answer(sent) : await fetch(sent);
    for (const each of reply.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value === '' || /max-age=0\b/i.test(each)) jar.delete(name);
      else jar.set(name, value);
    }
    return { status: reply.status, url: url.href, headers: reply.headers, text: await reply.text() };
  }

  return {
    request,
    jar: jarOf(new URL(home).origin),
    /** Follows redirects until `stop` holds for the next address. */
    async visit(target: string, stop: (url: string) => boolean = () => false): Promise<Visit> {
      let at = await request(target);
      for (let hops = 0; at.status >= 301 && at.status <= 308 && hops < 20; hops += 1) {
        const next = new URL(at.headers.get('location') ?? '', at.url).href;
        if (stop(next)) return { ...at, url: next };
        at = await request(next);
      }
      return at;
    },
    async me(): Promise<{ readonly status: number; readonly body: Me & Record<string, unknown> }> {
      const { status, text } = await request('/api/v1/me');
      return { status, body: JSON.parse(text) as Me & Record<string, unknown> };
    },
  };
}

/** The last records of the audit log, with their kinds and contents. */
export async function lastActs(audit: AuditLog, count: number) {
  const read = await audit.latest(count);
  if (!read.ok) throw new Error('the audit log is not readable');
  return read.value.map(({ text }) => {
    const record = parseRecord(text);
    return { kind: record?.kind, actor: record?.origin.actor, host: record?.origin.host, what: record?.what };
  });
}

/** A browser on the machine of the server that opened the login link. */
export async function operatorBrowser(database: Pick<GivenDatabase, 'store' | 'audit'>) {
  const server = givenServer(database);
  const browser = server.browser();
  await browser.visit((await server.login.createLink()) ?? '', () => true);
  return { server, browser };
}

/** The cookie of a person in these groups. */
export async function personSession({ store }: Pick<GivenDatabase, 'store'>, groups: readonly string[]) {
  const secret = randomSecret();
  const identity = {
    kind: 'person',
    subject: { kind: 'person', id: 'alice-1', name: 'Alice' },
    email: null,
    groups,
  };
  await store.sessions.create({ hash: hashOfSecret(secret), identity, lifeMs: 3_600_000 });
  return secret;
}
