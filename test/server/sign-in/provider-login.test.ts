import { describe, expect, test } from 'vitest';
import type { LoginSettings } from '../../../src/server/settings/server-settings.ts';
import {
  type GivenPerson,
  type GivenProviderOptions,
  givenClient,
  startLoginProvider,
} from '../../given/login-provider.ts';
import { forgedToken } from './forged-token.ts';
import { givenDatabase, givenServer, lastActs } from './given.ts';

const database = givenDatabase();
const place = { file: 'rampart.config.yaml', line: 1, col: 1 };
const alice: GivenPerson = {
  sub: 'alice-1',
  name: 'Alice',
  email: 'alice@example.com',
  groups: ['ops', 'everyone'],
};

function loginAt(issuer: string, changed: Partial<LoginSettings> = {}): LoginSettings {
  return {
    issuer,
    clientId: givenClient.id,
    clientSecret: { kind: 'variable', variable: 'CLIENT_SECRET' },
    groupsClaim: 'groups',
    scopes: ['openid', 'profile', 'email', 'groups'],
    roles: [
      { group: 'ops', role: 'operator', place },
      { group: 'eu-approvers', role: 'approver', where: 'region == "eu"', place },
    ],
    session: { idleMs: 3_600_000, lifeMs: 12 * 3_600_000 },
    ...changed,
  };
}

async function given(
  options: Partial<GivenProviderOptions> = {},
  { url = 'http://127.0.0.1:4567', ...login }: Partial<LoginSettings> & { readonly url?: string } = {},
) {
  const provider = await startLoginProvider({
    redirectUris: [`${url}/login/callback`],
    person: () => alice,
    ...options,
  });
  const server = givenServer(database, { url, login: loginAt(provider.issuer, login) });
  return { provider, server, browser: server.browser() };
}

/** A provider that ends each connection while it is down: at one path, or at all. */
async function givenOutage(path?: string) {
  const outage = { isDown: false };
  const parts = await given({
    interfere(request, response) {
      const isDown = outage.isDown && (path === undefined || request.url === path);
      if (isDown) response.destroy();
      return isDown;
    },
  });
  return { ...parts, outage };
}

type Browser = Awaited<ReturnType<typeof given>>['browser'];
const attemptOf = ({ jar }: Browser) =>
  JSON.parse(Buffer.from(jar.get('rampart-login') ?? '', 'base64url').toString())[0];
/** Changes the login that the browser has begun. */
const tamper = (browser: Browser, change: object) => {
  const attempts = JSON.stringify([{ ...attemptOf(browser), ...change }]);
  browser.jar.set('rampart-login', Buffer.from(attempts).toString('base64url'));
};

const atCallback = (url: string) => new URL(url).pathname === '/login/callback';

describe('signing in at an OpenID Connect provider', () => {
  test('a person gets the roles of their groups, and goes to the page they requested', async () => {
    const { server, browser } = await given();
    expect((await browser.me()).status).toBe(401);
    const arrived = await browser.visit('/login?return=/plans/7?tab=hosts', (url) =>
      url.includes('/plans/7'),
    );
    expect(arrived.url).toBe('http://127.0.0.1:4567/plans/7?tab=hosts');
    const { status, body } = await browser.me();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      subject: { kind: 'person', id: 'alice-1', name: 'Alice' },
      email: 'alice@example.com',
      grants: [{ role: 'operator' }],
      csrf: expect.stringMatching(/^[\w-]{43}$/),
      session_expires_at: expect.any(String),
    });
    expect(await lastActs(database.audit, 1)).toMatchObject([
      { kind: 'login', actor: 'Alice', host: '127.0.0.1', what: { by: { kind: 'person', id: 'alice-1' } } },
    ]);
    expect(server.problems).toEqual([]);
  });

  test.each([true, false])(
    'reads groups from the token or from the facts endpoint (in token: %s)',
    async (inToken) => {
      const { browser, provider } = await given({ groupsInToken: inToken });
      await browser.visit('/login', (url) => url.endsWith(':4567/'));
      expect((await browser.me()).body['grants']).toEqual([{ role: 'operator' }]);
      expect(provider.requests.includes('GET /me')).toBe(!inToken);
    },
  );

  test('reads the groups from the claim that the settings name', async () => {
    const { browser } = await given(
      {
        person: () => ({ sub: 'bob', groups: ['ops'], roles: 'eu-approvers' }) as GivenPerson,
        groupsInToken: true,
        configuration: { claims: { openid: ['sub', 'roles'], groups: ['groups'] } },
      },
      { groupsClaim: 'roles' },
    );
    await browser.visit('/login', (url) => url.endsWith(':4567/'));
    expect((await browser.me()).body['grants']).toEqual([{ role: 'approver', where: 'region == "eu"' }]);
  });

  test('someone without a group of the settings is refused, and the refusal is in the audit log', async () => {
    const { browser } = await given({ person: () => ({ ...alice, groups: ['everyone', 7, { ops: 1 }] }) });
    const arrived = await browser.visit('/login', (url) => url.endsWith(':4567/no-role'));
    expect(arrived.status).toBe(303);
    expect((await browser.me()).status).toBe(401);
    expect(await lastActs(database.audit, 1)).toMatchObject([{ kind: 'login-refused', actor: 'Alice' }]);
  });

  test('someone without a role can sign in again, and the provider asks who they are', async () => {
    let person: GivenPerson = { ...alice, groups: [] };
    const { browser } = await given({ person: () => person });
    const reached = (path: string) => (url: string) => url.endsWith(`:4567${path}`);
    await browser.visit('/login', reached('/no-role'));
    person = alice;
    const promptOf = async (path: string) => {
      const { headers } = await browser.request(path);
      return new URL(headers.get('location') ?? '').searchParams.get('prompt');
    };
    expect([await promptOf('/login'), await promptOf('/login?prompt=none')]).toEqual([null, null]);
    expect(await promptOf('/login?prompt=login')).toBe('login');
    await browser.visit('/login?prompt=login', reached('/'));
    expect((await browser.me()).body['subject']).toMatchObject({ name: 'Alice' });
  });

  test('a person who is refused by the provider reads why, without foreign text', async () => {
    const { browser } = await given({ person: () => null });
    const arrived = await browser.visit('/login');
    expect(arrived.status).toBe(401);
    expect(arrived.text).toContain('The login provider refused the login (access_denied)');
    expect(arrived.text).not.toContain('script');
    expect(await lastActs(database.audit, 1)).toMatchObject([
      { kind: 'login-refused', actor: 'unknown', what: { why: expect.stringContaining('access_denied') } },
    ]);
  });

  test('cookies keep to TLS and to this host behind TLS', async () => {
    const { browser } = await given({}, { url: 'https://rampart.example.com' });
    const begun = await browser.request('/login');
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-rampart-login=[\w-]+; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    await browser.visit('/login', (url) => url === 'https://rampart.example.com/');
    expect([...browser.jar.keys()]).toEqual(['__Host-rampart-session']);
    expect((await browser.me()).status).toBe(200);
  });

  test('a person signs out here and at the provider', async () => {
    const { browser, provider } = await given();
    await browser.visit('/login', (url) => url.endsWith(':4567/'));
    const { body } = await browser.me();
    const headers = { 'x-rampart-csrf': String(body.csrf) };
    const out = await browser.request('/logout', { method: 'POST', headers });
    expect(JSON.parse(out.text)).toEqual({
      redirect: expect.stringMatching(new RegExp(`^${provider.issuer}/session/end\\?`)),
    });
    expect((await browser.me()).status).toBe(401);
  });

  test('two tabs can sign in at once', async () => {
    const { browser } = await given();
    const one = await browser.visit('/login?return=/one', atCallback);
    const two = await browser.visit('/login?return=/two', atCallback);
    expect((await browser.request(one.url)).headers.get('location')).toBe('/one');
    expect((await browser.request(two.url)).status).toBe(401);
    await browser.visit('/login?return=/three', atCallback);
    const four = await browser.visit('/login?return=/four', atCallback);
    expect((await browser.request(four.url)).headers.get('location')).toBe('/four');
  });
});

describe('a login that somebody tampers with', () => {
  test('a code that was used before is refused', async () => {
    const { browser } = await given();
    const back = await browser.visit('/login', atCallback);
    const cookie = browser.jar.get('rampart-login') ?? '';
    expect((await browser.request(back.url)).status).toBe(303);
    browser.jar.clear();
    browser.jar.set('rampart-login', cookie);
    const again = await browser.request(back.url);
    expect([again.status, again.text]).toEqual([401, expect.stringContaining('(invalid_grant)')]);
    expect(browser.jar.size).toBe(0);
  });

  test('the response to a login of another browser is refused', async () => {
    const { server } = await given();
    const attacker = server.browser();
    const back = await attacker.visit('/login', atCallback);
    const victim = server.browser();
    expect((await victim.request(back.url)).status).toBe(401);
    await victim.visit('/login', atCallback);
    const refused = await victim.request(back.url);
    expect(refused.status).toBe(401);
    expect(refused.text).toContain('was not started in this browser');
    expect((await victim.me()).status).toBe(401);
  });

  test.each([
    ['another state', (url: URL) => url.searchParams.set('state', 'x'.repeat(43))],
    ['no state', (url: URL) => url.searchParams.delete('state')],
    ['another issuer', (url: URL) => url.searchParams.set('iss', 'https://other.example.com')],
    ['another code', (url: URL) => url.searchParams.set('code', 'x'.repeat(43))],
    ['two codes', (url: URL) => url.searchParams.append('code', 'x'.repeat(43))],
    ['no code', (url: URL) => url.searchParams.delete('code')],
  ])('a response with %s is refused', async (_what, change) => {
    const { browser } = await given();
    const back = new URL((await browser.visit('/login', atCallback)).url);
    change(back);
    const refused = await browser.request(back.href);
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('x'.repeat(43));
    expect((await browser.me()).status).toBe(401);
  });

  test('another secret of the code exchange is refused', async () => {
    const { browser } = await given();
    const back = await browser.visit('/login', atCallback);
    tamper(browser, { verifier: 'x'.repeat(43) });
    expect(await browser.request(back.url)).toMatchObject({
      status: 401,
      text: expect.stringContaining('(invalid_grant)'),
    });
  });

  test('a cookie that another program on this machine planted leads to no other site', async () => {
    const { browser } = await given();
    const back = await browser.visit('/login?return=/plans', atCallback);
    tamper(browser, { to: 'https://evil.example/' });
    const answer = await browser.request(back.url);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
  });

  test.each(['', 'x', 'bnVsbA', 'W3t9XQ', 'eyJfX3Byb3RvX18iOnt9fQ'])(
    'a cookie that is not a login is refused: %j',
    async (value) => {
      const { browser } = await given();
      browser.jar.set('rampart-login', value);
      expect((await browser.request('/login/callback?code=a&state=b')).status).toBe(401);
    },
  );

  test.each([
    ['of another person', { nonce: 'other' }],
    ['for another client', { aud: 'other' }],
    ['of another issuer', { iss: 'https://other.example.com' }],
    ['that has expired', { exp: 1 }],
    ['as the provider makes it', null],
  ])('a token %s is refused unless nothing is wrong with it', async (_what, change) => {
    const forged = { token: '' };
    const { browser, provider } = await given({
      interfere: (request, response) => {
        if (forged.token === '' || request.url !== '/token') return false;
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ access_token: 'a', token_type: 'bearer', id_token: forged.token }));
        return true;
      },
    });
    const back = await browser.visit('/login', atCallback);
    const { nonce } = attemptOf(browser);
    const claims = { iss: provider.issuer, aud: givenClient.id, nonce, groups: ['ops'] };
    forged.token = await forgedToken(provider.privateKey, claims, change ?? {});
    const answer = await browser.request(back.url);
    expect(answer.status).toBe(change === null ? 303 : 401);
    if (change !== null) expect(answer.text).toContain('answer is not valid (OAUTH_');
    expect((await browser.me()).status).toBe(change === null ? 200 : 401);
  });
});

describe('a login provider that is down', () => {
  test('does not keep the server from starting, and is tried again at the next login', async () => {
    const { server, browser, provider, outage } = await givenOutage();
    outage.isDown = true;
    const refused = await browser.request('/login');
    expect([refused.status, refused.text]).toEqual([
      502,
      expect.stringContaining(`${provider.issuer} can't be used`),
    ]);
    expect(server.problems).toMatchObject([{ code: 'network' }]);
    const asked = provider.requests.length;
    await browser.request('/login');
    expect(provider.requests.length).toBe(asked);
    outage.isDown = false;
    server.pass(10_000);
    expect((await browser.request('/login')).status).toBe(303);
  });

  test('in the middle of a login is a network failure', async () => {
    const { browser, outage } = await givenOutage('/token');
    const back = await browser.visit('/login', atCallback);
    outage.isDown = true;
    expect(await browser.request(back.url)).toMatchObject({
      status: 502,
      text: expect.stringContaining('did not finish the login'),
    });
  });

  test('is asked again after a while, although its last settings are still used', async () => {
    const { browser, server, provider, outage } = await givenOutage();
    const asked = async () => {
      expect((await browser.request('/login')).status).toBe(303);
      return provider.requests.length;
    };
    expect(await asked()).toBe(1);
    server.pass(3_599_000);
    expect(await asked()).toBe(1);
    outage.isDown = true;
    server.pass(1_000);
    expect(await asked()).toBe(2);
    server.pass(2_999);
    expect(await asked()).toBe(2);
    server.pass(1);
    expect(await asked()).toBe(3);
    outage.isDown = false;
    server.pass(3_000);
    expect(await asked()).toBe(4);
    server.pass(3_599_000);
    expect(await asked()).toBe(4);
  });

  test('keeps existing sessions', async () => {
    const { browser, server, outage } = await givenOutage();
    await browser.visit('/login', (url) => url.endsWith(':4567/'));
    outage.isDown = true;
    server.pass(2 * 3_600_000);
    expect((await browser.me()).status).toBe(200);
    expect((await browser.request('/login')).status).toBe(303);
  });

  test('a provider that redirects its settings elsewhere is not followed', async () => {
    const { browser, provider } = await given({
      interfere: (request, response) => {
        if (request.url?.startsWith('/.well-known/') !== true) return false;
        response.writeHead(302, { location: '/elsewhere' }).end();
        return true;
      },
    });
    expect((await browser.request('/login')).status).toBe(502);
    expect(provider.requests).toEqual(['GET /.well-known/openid-configuration']);
  });

  test('a provider that sends the server to a private address is refused', async () => {
    const { browser, provider } = await given({
      interfere: (request, response) => {
        if (request.url?.startsWith('/.well-known/') !== true) return false;
        const issuer = `http://${request.headers.host}`;
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            issuer,
            authorization_endpoint: `${issuer}/auth`,
            token_endpoint: 'http://localhost:1/token',
            jwks_uri: 'https://10.0.0.1/jwks',
          }),
        );
        return true;
      },
    });
    await browser.request('/login');
    const refused = await browser.request(`/login/callback?code=a&state=${attemptOf(browser).state}`);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(provider.requests).toEqual(['GET /.well-known/openid-configuration']);
  });
});
