import { describe, expect, test } from 'vitest';
import type { CallerIdentity } from '../../../../src/api/access/grants.ts';
import { senderAddress } from '../../../../src/server/http/sender-address.ts';
import { createToken } from '../../../../src/server/sign-in/routes/create-token.ts';
import { tokenPrefix } from '../../../../src/server/sign-in/routes/identify.ts';
import { csrfOf, foreignWrite } from '../../../../src/server/sign-in/rules/own-pages.ts';
import { hashOfSecret, randomSecret } from '../../../../src/server/sign-in/rules/secret-text.ts';
import {
  givenDatabase,
  givenLogin,
  givenServer,
  lastActs,
  operatorBrowser,
  personSession,
} from '../given.ts';

const database = givenDatabase();
const elsewhere = { address: '192.0.2.7' };

const admin: CallerIdentity = {
  subject: { kind: 'person', id: 'root', name: 'Root' },
  email: null,
  grants: [{ role: 'admin' }],
  csrf: null,
  expiresAt: null,
};

describe('a session', () => {
  test('is stored only as the hash of its cookie', async () => {
    const { browser } = await operatorBrowser(database);
    const secret = browser.jar.get('rampart-session') ?? '';
    expect(secret).toMatch(/^[\w-]{43}$/);
    const dump = JSON.stringify(await database.run('select * from rampart_server.session'));
    expect(dump).toContain(hashOfSecret(secret));
    expect(dump).not.toContain(secret);
  });

  test('of an earlier login ends when its browser signs in again, so a planted cookie is useless', async () => {
    const { browser, server } = await operatorBrowser(database);
    const planted = browser.jar.get('rampart-session') ?? '';
    await browser.visit((await server.login.createLink()) ?? '');
    expect(browser.jar.get('rampart-session')).not.toBe(planted);
    expect((await browser.me()).status).toBe(200);
    const thief = server.browser();
    thief.jar.set('rampart-session', planted);
    expect((await thief.me()).status).toBe(401);
  });

  test('is not created from a cookie that nobody issued', async () => {
    const { server } = await operatorBrowser(database);
    const fixed = 'A'.repeat(43);
    const browser = server.browser();
    browser.jar.set('rampart-session', fixed);
    expect((await browser.me()).status).toBe(401);
    await browser.visit((await server.login.createLink()) ?? '');
    expect(browser.jar.get('rampart-session')).not.toBe(fixed);
  });

  test('ends after some time without requests, and at the latest at the end of its life', async () => {
    const { browser } = await operatorBrowser(database);
    const hash = hashOfSecret(browser.jar.get('rampart-session') ?? '');
    const set = (column: string, minutes: number) =>
      database.run(
        `update rampart_server.session set ${column} = clock_timestamp() + interval '${minutes} minutes' where hash = '${hash}'`,
      );
    await set('seen_at', -59);
    expect((await browser.me()).status).toBe(200);
    await set('seen_at', -61);
    expect((await browser.me()).status).toBe(401);
    await set('seen_at', 0);
    expect((await browser.me()).status).toBe(200);
    await set('expires_at', -1);
    expect((await browser.me()).status).toBe(401);
  });

  test('ends at logout, even for someone who copied its cookie', async () => {
    const { browser, server } = await operatorBrowser(database);
    const copy = server.browser();
    copy.jar.set('rampart-session', browser.jar.get('rampart-session') ?? '');
    const { body } = await browser.me();
    const out = await browser.request('/logout', {
      method: 'POST',
      headers: { 'x-rampart-csrf': String(body.csrf) },
    });
    expect([out.status, JSON.parse(out.text)]).toEqual([200, { redirect: null }]);
    expect(browser.jar.has('rampart-session')).toBe(false);
    expect((await copy.me()).status).toBe(401);
    expect(await lastActs(database.audit, 1)).toMatchObject([{ kind: 'logout', actor: 'Operator' }]);
  });

  test('is not ended by another site', async () => {
    const { browser } = await operatorBrowser(database);
    expect((await browser.request('/logout', { method: 'POST' })).status).toBe(403);
    expect((await browser.request('/logout')).status).toBe(404);
    expect((await browser.me()).status).toBe(200);
  });

  test('logout without a session removes the cookie and prints nothing', async () => {
    const { server } = await operatorBrowser(database);
    const browser = server.browser();
    browser.jar.set('rampart-session', 'A'.repeat(43));
    expect((await browser.request('/logout', { method: 'POST' })).status).toBe(200);
    expect(browser.jar.has('rampart-session')).toBe(false);
  });

  test('two cookies with the same name count as none', async () => {
    const { browser, server } = await operatorBrowser(database);
    const secret = browser.jar.get('rampart-session') ?? '';
    const headers = new Headers({
      host: '127.0.0.1:4567',
      cookie: `rampart-session=${secret}; rampart-session=${'A'.repeat(43)}`,
    });
    const answer = await server.http.fetch(new Request('http://127.0.0.1:4567/api/v1/me', { headers }));
    expect(answer.status).toBe(401);
  });

  test('of a person has the roles that the settings give to the groups now', async () => {
    const secret = await personSession(database, ['ops', 'eu']);
    const login = (rules: readonly { group: string; role: 'operator' | 'viewer'; where?: string }[]) =>
      givenServer(database, {
        login: {
          ...givenLogin,
          roles: rules.map((each) => ({ ...each, place: { file: 'c', line: 1, col: 1 } })),
        },
      }).browser();
    const grantsWith = async (rules: Parameters<typeof login>[0]) => {
      const browser = login(rules);
      browser.jar.set('rampart-session', secret);
      return (await browser.me()).body.grants;
    };
    expect(await grantsWith([{ group: 'ops', role: 'operator' }])).toEqual([{ role: 'operator' }]);
    expect(await grantsWith([{ group: 'eu', role: 'viewer', where: 'true' }])).toEqual([
      { role: 'viewer', where: 'true' },
    ]);
    expect(await grantsWith([{ group: 'others', role: 'operator' }])).toEqual([]);
  });

  test('of a person ends when the settings no longer have a provider, and of a link when they have one', async () => {
    const secret = await personSession(database, ['ops']);
    const { browser, server } = await operatorBrowser(database);
    browser.jar.set('rampart-session', secret);
    expect((await browser.me()).status).toBe(401);
    await browser.visit((await server.login.createLink()) ?? '');
    const link = browser.jar.get('rampart-session') ?? '';
    const other = givenServer(database, { login: givenLogin }).browser();
    other.jar.set('rampart-session', link);
    expect((await other.me()).status).toBe(401);
  });
});

describe('a write of a session', () => {
  test('succeeds with the text of its session, from our own page', async () => {
    const { browser, server } = await operatorBrowser(database);
    const { body } = await browser.me();
    const asked = (headers: Record<string, string>) =>
      server.login.identify(
        new Request('http://127.0.0.1:4567/api/v1/plans', {
          method: 'POST',
          headers: { cookie: `rampart-session=${browser.jar.get('rampart-session')}`, ...headers },
        }),
        { address: '127.0.0.1' },
      );
    const csrf = { 'x-rampart-csrf': String(body.csrf) };
    const own = { ...csrf, origin: 'http://127.0.0.1:4567', 'sec-fetch-site': 'same-origin' };
    expect(await asked(csrf)).toMatchObject({ subject: { kind: 'operator' } });
    expect(await asked(own)).toMatchObject({ subject: { kind: 'operator' } });
    expect(await asked({ ...csrf, origin: 'http://localhost:4567' })).toMatchObject({
      grants: [{ role: 'admin' }],
    });
    for (const foreign of [
      {},
      { 'x-rampart-csrf': '' },
      { 'x-rampart-csrf': 'A'.repeat(43) },
      { ...own, origin: 'http://127.0.0.1:4568' },
      { ...own, origin: 'https://127.0.0.1:4567' },
      { ...own, origin: 'http://127.0.0.2:4567' },
      { ...own, origin: 'http://evil.example.com' },
      { ...own, origin: 'http://evil.example.com:4567' },
      { ...own, origin: 'null' },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
      { ...own, 'sec-fetch-site': 'none' },
    ]) {
      expect([foreign, await asked(foreign)]).toEqual([
        foreign,
        expect.objectContaining({ code: 'forbidden' }),
      ]);
    }
  });

  test('is refused with the text of another session', async () => {
    const { browser } = await operatorBrowser(database);
    const other = (await operatorBrowser(database)).browser;
    const { body } = await other.me();
    const headers = { 'x-rampart-csrf': String(body.csrf) };
    expect((await browser.request('/logout', { method: 'POST', headers })).status).toBe(403);
  });

  test.each([
    ['http://[::1]:8080', 'http://127.0.0.1:8080', null],
    ['http://127.0.0.1:8080', 'http://localhost:8080', null],
    ['http://localhost:8080', 'http://rampart.test:8080', 'forbidden'],
    ['http://rampart.test:8080', 'http://localhost:8080', 'forbidden'],
    ['http://localhost:443', 'https://localhost:443', 'forbidden'],
    ['http://localhost:8443', 'https://localhost:8443', 'forbidden'],
    ['https://localhost:8080', 'http://localhost:8080', 'forbidden'],
    ['https://rampart.example.com', 'https://rampart.example.com', null],
    ['http://rampart.example.com', 'https://rampart.example.com', 'forbidden'],
    ['https://evil.example.com', 'https://rampart.example.com', 'forbidden'],
    ['http://127.0.0.1', 'https://rampart.example.com', 'forbidden'],
  ])(
    'from a page at %s of a server at %s is %s: only names of this machine are equal',
    (origin, own, code) => {
      const headers = new Headers({ origin, 'x-rampart-csrf': csrfOf('secret') });
      expect(foreignWrite({ headers }, 'secret', own)?.code ?? null).toBe(code);
    },
  );
});

describe('a login link', () => {
  test('signs in once, as administrator', async () => {
    const { server, browser } = await operatorBrowser(database);
    expect((await browser.me()).body).toMatchObject({
      subject: { kind: 'operator', id: 'operator' },
      grants: [{ role: 'admin' }],
    });
    const link = (await server.login.createLink()) ?? '';
    expect(new URL(link).pathname).toBe('/login/link');
    const [one, two] = [server.browser(), server.browser()];
    expect((await one.visit(link, () => true)).status).toBe(303);
    expect((await two.visit(link)).status).toBe(401);
    expect((await two.me()).status).toBe(401);
  });

  test('expires, and is stored only as a hash', async () => {
    const { server } = await operatorBrowser(database);
    const link = (await server.login.createLink()) ?? '';
    const ticket = new URL(link).searchParams.get('ticket') ?? '';
    const dump = JSON.stringify(await database.run('select * from rampart_server.ticket'));
    expect(dump).not.toContain(ticket);
    await database.run(
      `update rampart_server.ticket set expires_at = clock_timestamp() - interval '1 second' where hash = '${hashOfSecret(ticket)}'`,
    );
    expect((await server.browser().visit(link)).status).toBe(401);
  });

  test.each(['', 'x', 'A'.repeat(43), "' or 1=1 --".padEnd(43, 'x')])(
    "can't be guessed: %j",
    async (ticket) => {
      const { server } = await operatorBrowser(database);
      const url = `/login/link?ticket=${encodeURIComponent(ticket)}`;
      expect((await server.browser().visit(url)).status).toBe(401);
    },
  );

  test('works only on a connection of this machine, and not through a proxy on it', async () => {
    const { server } = await operatorBrowser(database);
    const link = (await server.login.createLink()) ?? '';
    expect((await server.browser(elsewhere).visit(link)).status).toBe(403);
    for (const name of ['x-forwarded-for', 'forwarded', 'via', 'x-real-ip', 'x-forwarded-host']) {
      expect((await server.browser().request(link, { headers: { [name]: '127.0.0.1' } })).status).toBe(403);
    }
    expect((await server.browser({ address: '::ffff:127.0.0.1' }).visit(link, () => true)).status).toBe(303);
  });

  test('a session of a link is useless on another machine', async () => {
    const { server, browser } = await operatorBrowser(database);
    const thief = server.browser(elsewhere);
    thief.jar.set('rampart-session', browser.jar.get('rampart-session') ?? '');
    expect((await thief.me()).status).toBe(401);
  });

  test('is refused under another name of this machine, which a foreign page may have created', async () => {
    const { server } = await operatorBrowser(database);
    const link = new URL((await server.login.createLink()) ?? '');
    const answer = await server.http.fetch(
      new Request(`http://rebound.example.com:4567${link.pathname}${link.search}`, {
        headers: { host: 'rebound.example.com:4567' },
      }),
      { address: '127.0.0.1' },
    );
    expect([answer.status, answer.headers.getSetCookie()]).toEqual([400, []]);
  });

  test('a visit prints a new link for the operator, and shows it to nobody', async () => {
    const { server } = await operatorBrowser(database);
    const before = server.links.length;
    const visits = [];
    for (let at = 0; at < 5; at += 1) visits.push(await server.browser().visit('/login'));
    expect(visits.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    const printed = server.links.slice(before);
    expect(printed).toHaveLength(2);
    for (const { text } of visits) for (const link of printed) expect(text).not.toContain(link.slice(-43));
    expect((await server.browser(elsewhere).visit('/login')).status).toBe(403);
  });

  test('needs its ticket', async () => {
    const { server } = await operatorBrowser(database);
    expect((await server.browser().visit('/login/link')).status).toBe(401);
  });

  test.each([
    ['POST', '/login'],
    ['POST', '/login/link'],
    ['GET', '/login/callback'],
    ['GET', '/logout'],
    ['GET', '/api/v1/exchange'],
  ])('the login page is linked from %s %s, where nothing is', async (method, path) => {
    const browser = givenServer(database).browser();
    const answer = await browser.request(path, { method, headers: { accept: 'application/json' } });
    expect(JSON.parse(answer.text)).toMatchObject({
      status: 404,
      hint: 'sign in with GET /login, and sign out with POST /logout',
    });
  });

  test('does not exist if people sign in at a provider', async () => {
    const without = givenServer(database);
    const link = (await without.login.createLink()) ?? '';
    const server = givenServer(database, { login: givenLogin });
    expect(await server.login.createLink()).toBe(null);
    const { pathname, search } = new URL(link);
    expect((await server.browser().visit(pathname + search)).status).toBe(404);
  });
});

describe('a token', () => {
  const create = async (grants = [{ role: 'viewer' as const }], creator = admin, days = 30) => {
    const server = givenServer(database, { labels: new Set(['region']) });
    const created = await createToken({ name: 'script', grants, days }, creator, '127.0.0.1', {
      store: database.store,
      settings: server.settings,
      hide: (each) => server.secrets.push(...each),
      acts: server.login.acts,
    });
    return { server, created };
  };
  const ask = (server: ReturnType<typeof givenServer>, authorization: string, query = '') =>
    server.http.fetch(
      new Request(`http://127.0.0.1:4567/api/v1/me${query}`, {
        headers: { host: '127.0.0.1:4567', authorization },
      }),
    );

  test('identifies itself, and needs no text of a session', async () => {
    const { server, created } = await create();
    const { token = '', record } = created.ok ? created.value : {};
    expect(token).toMatch(/^rampart_[\w-]{43}$/);
    expect(server.secrets).toContain(token);
    const me = await (await ask(server, `Bearer ${token}`)).json();
    expect(me).toMatchObject({
      subject: { kind: 'token', id: record?.id, name: 'script' },
      grants: [{ role: 'viewer' }],
      csrf: null,
    });
    const dump = JSON.stringify(await database.run('select * from rampart_server.token'));
    expect(dump).toContain(hashOfSecret(token));
    expect(dump).not.toContain(token);
    const [act] = await lastActs(database.audit, 1);
    expect(act).toMatchObject({ kind: 'token-created', actor: 'Root', what: { token: 'script', days: 30 } });
    expect(JSON.stringify(act)).not.toContain(token);
  });

  test('is useless after it was revoked or has expired', async () => {
    const { server, created } = await create();
    const { token = '', record } = created.ok ? created.value : {};
    expect((await ask(server, `Bearer ${token}`)).status).toBe(200);
    await database.store.tokens.revoke(record?.id ?? '');
    expect((await ask(server, `Bearer ${token}`)).status).toBe(401);
    const other = (await create()).created;
    const expired = other.ok ? other.value.token : '';
    await database.run(
      `update rampart_server.token set expires_at = clock_timestamp() where hash = '${hashOfSecret(expired)}'`,
    );
    expect((await ask(server, `Bearer ${expired}`)).status).toBe(401);
  });

  test('is useless if this version of the server does not know its role', async () => {
    const { server } = await create();
    const token = `${tokenPrefix}${randomSecret()}`;
    const createdBy = { kind: 'person', id: 'root', name: 'Root' } as const;
    const known = { name: 'newer', hash: hashOfSecret(token), createdBy, lifeMs: 60_000 };
    await database.store.tokens.create({ ...known, grants: [{ role: 'emperor' }] });
    expect((await ask(server, `Bearer ${token}`)).status).toBe(401);
  });

  test('gets no more rights than its creator has', async () => {
    const creator = { ...admin, grants: [{ role: 'operator' as const, where: 'region == "eu"' }] };
    const { created } = await create([{ role: 'viewer' }], creator);
    expect(created.ok && created.value.record.grants).toEqual([
      { role: 'viewer', where: '(region == "eu")' },
    ]);
    const { created: refused } = await create([{ role: 'admin' as never }], creator);
    expect(refused).toMatchObject({ ok: false, problems: [{ code: 'forbidden' }] });
  });

  test.each([
    'Bearer',
    'Bearer ',
    'Bearer x',
    `Bearer ${tokenPrefix}${'A'.repeat(43)}`,
    `Bearer ${'A'.repeat(43)}`,
    `Basic ${Buffer.from('a:b').toString('base64')}`,
    `Bearer ${tokenPrefix}${'A'.repeat(5_000)}`,
    "Bearer rampart_' or true --",
  ])('is refused if nobody issued it: %s', async (authorization) => {
    const { server } = await create();
    expect((await ask(server, authorization)).status).toBe(401);
  });

  test('a wrong token is refused although the cookie of a session comes with it', async () => {
    const { browser } = await operatorBrowser(database);
    const headers = { authorization: `Bearer ${tokenPrefix}${'A'.repeat(43)}` };
    expect((await browser.request('/api/v1/me', { headers })).status).toBe(401);
  });

  test('is refused in an address, even a valid one', async () => {
    const { server, created } = await create();
    const token = created.ok ? created.value.token : '';
    for (const query of [`?token=${token}`, `?access_token=x`, `?q=${token}`]) {
      const answer = await ask(server, `Bearer ${token}`, query);
      expect(answer.status).toBe(401);
      expect(await answer.text()).not.toContain(token);
    }
  });

  test('a stored session of another kind is useless, whatever its secret looks like', async () => {
    const server = givenServer(database);
    const secret = `rampart_ci_${'B'.repeat(43)}`;
    for (const identity of [{ kind: 'operator', subject: admin.subject }, { kind: 'other' }, null]) {
      await database.store.sessions.remove(hashOfSecret(secret));
      await database.store.sessions.create({ hash: hashOfSecret(secret), identity, lifeMs: 60_000 });
      expect((await ask(server, `Bearer ${secret}`)).status).toBe(401);
      const browser = server.browser();
      browser.jar.set('rampart-session', secret);
      expect((await browser.me()).status).toBe(401);
    }
  });

  test('a session is not a token, and a token is not a cookie', async () => {
    const { browser, server } = await operatorBrowser(database);
    const secret = browser.jar.get('rampart-session') ?? '';
    expect((await ask(server, `Bearer ${secret}`)).status).toBe(401);
    expect((await ask(server, `Bearer rampart_ci_${secret}`)).status).toBe(401);
    const { created } = await create();
    const thief = server.browser();
    thief.jar.set('rampart-session', created.ok ? created.value.token : '');
    expect((await thief.me()).status).toBe(401);
  });
});

describe('the audit of a change', () => {
  test('is written with the change, or not at all', async () => {
    const { acts } = givenServer(database).login;
    const act = { kind: 'paused' as const, by: admin.subject, from: '192.0.2.1' };
    const latest = async () => (await lastActs(database.audit, 1)).map(({ what }) => what);
    await database.store.transaction(async ({ db }) =>
      acts.recordWithin(db, { ...act, what: { scope: 'kept' } }),
    );
    expect(await latest()).toMatchObject([{ scope: 'kept' }]);
    const undone = database.store.transaction(async ({ db }) => {
      acts.recordWithin(db, { ...act, what: { scope: 'undone' } });
      throw new Error('the change failed');
    });
    await expect(undone).rejects.toThrow('the change failed');
    expect(await latest()).toMatchObject([{ scope: 'kept' }]);
  });
});

describe('the limit of logins', () => {
  test('makes an address wait that tries too often', async () => {
    const server = givenServer(database);
    const statuses: number[] = [];
    for (let at = 0; at < 35; at += 1)
      statuses.push((await server.browser(elsewhere).visit('/login')).status);
    expect(statuses.filter((each) => each === 403)).toHaveLength(30);
    expect(statuses.at(-1)).toBe(429);
    server.pass(60_000);
    expect((await server.browser(elsewhere).visit('/login')).status).toBe(403);
  });

  test('the clients of a proxy on this machine are distinguished, and no other sender can set its own address', () => {
    const sender = (address: string, forwarded?: string) =>
      senderAddress(
        { headers: new Headers(forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }) },
        { address },
      );
    expect(sender('127.0.0.1', '10.0.0.1, 192.0.2.9')).toBe('192.0.2.9');
    expect(sender('::1', '192.0.2.9')).toBe('192.0.2.9');
    expect(sender('127.0.0.1')).toBe('127.0.0.1');
    expect(sender('127.0.0.1', ' ')).toBe('127.0.0.1');
    expect(sender('192.0.2.7', '192.0.2.9')).toBe('192.0.2.7');
  });
});
