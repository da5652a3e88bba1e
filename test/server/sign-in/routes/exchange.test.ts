import { createServer } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair } from 'jose';
import { beforeAll, describe, expect, test } from 'vitest';
import type { PipelineSettings } from '../../../../src/server/settings/server-settings.ts';
import { listen, nobodyListens } from '../../../given/loopback.ts';
import { forgedToken } from '../forged-token.ts';
import {
  givenDatabase,
  givenLogin,
  givenServer,
  lastActs,
  exchangePeer as peer,
  postExchange,
} from '../given.ts';

const database = givenDatabase();
const audience = 'https://rampart.example.com';
const place = { file: 'rampart.config.yaml', line: 1, col: 1 };

let keys: { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey };
beforeAll(async () => {
  keys = await generateKeyPair('RS256', { extractable: true });
}, 60_000);

interface IssuerChange {
  /** The address of the keys, according to the issuer. */
  readonly keysAt?: (origin: string) => string;
  readonly issuer?: string;
  readonly status?: number;
  readonly isDown?: () => boolean;
}

async function startIssuer({ keysAt, issuer, status = 200, isDown }: IssuerChange = {}) {
  const requests: string[] = [];
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server = createServer((request, response) => {
    requests.push(request.url ?? '');
    if (isDown?.() === true) return response.destroy();
    const origin = `http://127.0.0.1:${port}`;
    response.writeHead(status, { 'content-type': 'application/json' });
    if (request.url === '/.well-known/openid-configuration') {
      const jwks_uri = keysAt?.(origin) ?? `${origin}/jwks`;
      return response.end(JSON.stringify({ issuer: issuer ?? origin, jwks_uri }));
    }
    return response.end(JSON.stringify({ keys: [jwk] }));
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, requests, server };
}

let used = 0;
function claimsOf(iss: string, changed: Readonly<Record<string, unknown>> = {}) {
  used += 1;
  return {
    iss,
    aud: audience,
    sub: 'repo:acme/fleet:ref:refs/heads/main',
    jti: `job-${used}`,
    repository: 'acme/fleet',
    repository_id: '123456',
    ref_protected: 'true',
    ...changed,
  };
}

const rule = (issuer: string, changed: Partial<PipelineSettings> = {}): PipelineSettings => ({
  issuer,
  audience,
  claims: { repository_id: ['123456'] },
  role: 'planner',
  place,
  ...changed,
});

async function given(rules: readonly Partial<PipelineSettings>[] = [{}], change: IssuerChange = {}) {
  const issuer = await startIssuer(change);
  const server = givenServer(database, { pipelines: rules.map((each) => rule(issuer.origin, each)) });
  const exchange = async (token: string) => {
    const answer = await postExchange(server, JSON.stringify({ token }));
    const text = await answer.text();
    const cache = answer.headers.get('cache-control');
    return { status: answer.status, body: JSON.parse(text) as Record<string, unknown>, text, cache };
  };
  const me = async (token: unknown) => {
    const answer = await server.http.fetch(
      new Request('http://127.0.0.1:4567/api/v1/me', {
        headers: { host: '127.0.0.1:4567', authorization: `Bearer ${String(token)}` },
      }),
      peer,
    );
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { issuer, server, exchange, me };
}

describe('the exchange of the token of a job', () => {
  test('returns a token that lasts an hour, with the role of the rule', async () => {
    const { issuer, exchange, me, server } = await given([{ role: 'planner', where: 'region == "eu"' }]);
    const jwt = await forgedToken(keys.privateKey, claimsOf(issuer.origin));
    const { status, body, cache } = await exchange(jwt);
    expect([status, cache]).toEqual([200, 'no-store']);
    expect(body).toMatchObject({
      token: expect.stringMatching(/^rampart_ci_[\w-]{43}$/),
      subject: { kind: 'pipeline', id: 'repo:acme/fleet:ref:refs/heads/main', name: 'acme/fleet' },
      grants: [{ role: 'planner', where: 'region == "eu"' }],
      expires_at: expect.any(String),
    });
    expect((await me(body['token'])).body).toMatchObject({
      subject: { kind: 'pipeline', name: 'acme/fleet' },
      grants: [{ role: 'planner', where: 'region == "eu"' }],
      csrf: null,
    });
    expect(server.secrets).toContain(body['token']);
    const stored = JSON.stringify(await database.run('select * from rampart_server.session'));
    expect(stored).not.toContain(body['token']);
    expect(stored).not.toContain(jwt);
    expect(await lastActs(database.audit, 1)).toMatchObject([
      { kind: 'token-exchanged', actor: 'acme/fleet', host: peer.address, what: { issuer: issuer.origin } },
    ]);
    const [row] = await database.run(
      "select expires_at - created_at < interval '61 minutes' as short from rampart_server.session order by created_at desc limit 1",
    );
    expect(row?.['short']).toBe(true);
  });

  test('identifies a pipeline by its subject if the forge gives it no name', async () => {
    const { issuer, exchange } = await given();
    for (const repository of [undefined, '', 7, ['acme/fleet']]) {
      const jwt = await forgedToken(keys.privateKey, claimsOf(issuer.origin, { repository }));
      const { body } = await exchange(jwt);
      expect(body['subject']).toMatchObject({ name: 'repo:acme/fleet:ref:refs/heads/main' });
    }
    const group = claimsOf(issuer.origin, { repository: undefined, project_path: 'a/b' });
    const { body } = await exchange(await forgedToken(keys.privateKey, group));
    expect(body['subject']).toMatchObject({ name: 'a/b' });
  });

  test('works once if the same token comes twice at the same time', async () => {
    const { issuer, exchange } = await given();
    const jwt = await forgedToken(keys.privateKey, claimsOf(issuer.origin));
    const statuses = (await Promise.all([exchange(jwt), exchange(jwt), exchange(jwt)])).map(
      (each) => each.status,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
  });

  test('gives the roles of all rules that match, and no others', async () => {
    const { issuer, exchange } = await given([
      { role: 'viewer' },
      { role: 'operator', claims: { repository_id: ['123456'], ref_protected: ['true'] } },
      { role: 'approver', claims: { repository_id: ['123456'], environment: ['production'] } },
      { role: 'admin', audience: 'https://other.example.com' },
      { role: 'admin', claims: {} },
    ]);
    const { body } = await exchange(await forgedToken(keys.privateKey, claimsOf(issuer.origin)));
    expect(body['grants']).toEqual([{ role: 'viewer' }, { role: 'operator' }]);
  });

  test.each([
    ['has expired', { exp: 1 }, /has expired/],
    ['is too old', { iat: Math.floor(Date.now() / 1000) - 4_000, exp: 9_999_999_999 }, /"iat"|expired/],
    ['is for another audience', { aud: 'https://other.example.com' }, /"aud" is not the expected one/],
    ['is from another repository', { repository_id: '999' }, /no pipeline in the settings/],
    ['has a list in place of the claim', { repository_id: ['123456'] }, /no pipeline in the settings/],
    ['has no id of the repository', { repository_id: undefined }, /no pipeline in the settings/],
    ['has no id of its own', { jti: undefined }, /"jti" is missing/],
    ['has an id that is no text', { jti: 7 }, /"jti" is missing/],
    ['is from the future', { iat: Math.floor(Date.now() / 1000) + 3_600 }, /"iat" is not the expected one/],
    ['has no time of issue', { iat: undefined }, /"iat" is missing/],
    ['has no audience', { aud: undefined }, /"aud" is missing/],
    ['has no end', { exp: undefined }, /"exp" is missing/],
    ['has no subject', { sub: undefined }, /"sub" is missing/],
    ['has control characters in its subject', { sub: 'a\nb' }, /"sub" is missing or not usable/],
    ['is not valid yet', { nbf: 9_999_999_999 }, /"nbf" is not the expected one/],
    ['names an unknown key', { kid: 'other' }, /its key is unknown/],
    ['is signed with another key', { foreign: true as const }, /its signature is wrong/],
    ['has no signature', { alg: 'none' }, /not signed with RS256|not a valid JSON Web Token/],
  ])('is refused if the token %s', async (_what, change, words) => {
    const { issuer, exchange } = await given();
    const jwt = await forgedToken(keys.privateKey, claimsOf(issuer.origin), change);
    const { status, body, text } = await exchange(jwt);
    expect([status, body['detail']]).toEqual([401, expect.stringMatching(words)]);
    expect(text).not.toContain(jwt);
  });

  test('never asks an issuer that the settings do not name', async () => {
    const stranger = await startIssuer();
    const { exchange } = await given();
    const { status, body } = await exchange(await forgedToken(keys.privateKey, claimsOf(stranger.origin)));
    expect([status, body['detail']]).toEqual([
      401,
      expect.stringContaining(`its issuer "${stranger.origin}" is not in the settings`),
    ]);
    expect(stranger.requests).toEqual([]);
  });

  test('reports that a text is no token, and requires a new one after an exchange', async () => {
    const { issuer, exchange } = await given();
    expect((await exchange('abc')).body).toMatchObject({
      detail: expect.stringMatching(/not a valid JSON Web Token/),
      hint: expect.stringMatching(/^send the OIDC token/),
    });
    const jwt = await forgedToken(keys.privateKey, claimsOf(issuer.origin));
    expect((await exchange(jwt)).status).toBe(200);
    expect(await exchange(jwt)).toMatchObject({
      status: 401,
      body: {
        detail: expect.stringContaining('it was exchanged before'),
        hint: expect.stringMatching(/^request a new token/),
      },
    });
  });

  test.each([
    ['that has its keys at another origin', { keysAt: () => 'https://keys.example.com/jwks' }],
    ['that has its keys at a private address', { keysAt: () => 'http://169.254.169.254/jwks' }],
    ['that describes another issuer', { issuer: 'https://other.example.com' }],
    ['that answers with an error', { status: 500 }],
  ])('is refused for an issuer %s', async (_what, change) => {
    const { issuer, exchange } = await given([{}], change);
    const { status } = await exchange(await forgedToken(keys.privateKey, claimsOf(issuer.origin)));
    expect(status).toBe(502);
    expect(issuer.requests).toEqual(['/.well-known/openid-configuration']);
  });

  test('reads no keys from another server, even if its address is allowed', async () => {
    const other = await startIssuer();
    const { issuer, exchange } = await given([{}], { keysAt: () => `${other.origin}/jwks` });
    expect((await exchange(await forgedToken(keys.privateKey, claimsOf(issuer.origin)))).status).toBe(502);
    expect(other.requests).toEqual([]);
  });

  test('leaves no connection to an issuer after the server has closed', async () => {
    const { issuer, exchange, server } = await given();
    await exchange(await forgedToken(keys.privateKey, claimsOf(issuer.origin)));
    const connections = () =>
      new Promise((resolve) => issuer.server.getConnections((_error, count) => resolve(count)));
    expect(await connections()).toBeGreaterThan(0);
    await server.login.close();
    await expect.poll(connections, { interval: 5 }).toBe(0);
  });

  test('reads the keys once, keeps them while the issuer is down, and tries again after a failure', async () => {
    let isDown = true;
    const { issuer, exchange } = await given([{}], { isDown: () => isDown });
    const fresh = () => forgedToken(keys.privateKey, claimsOf(issuer.origin));
    expect((await exchange(await fresh())).status).toBe(502);
    isDown = false;
    expect((await exchange(await fresh())).status).toBe(200);
    const asked = issuer.requests.length;
    isDown = true;
    expect((await exchange(await fresh())).status).toBe(200);
    expect(issuer.requests.length).toBe(asked);
    // An unknown key is looked for at most once in a while.
    const unknown = await forgedToken(keys.privateKey, claimsOf(issuer.origin), { kid: 'x' });
    expect((await exchange(unknown)).status).toBe(401);
    expect(issuer.requests.length).toBe(asked);
  });

  test('an unreachable issuer is a network failure', async () => {
    const { exchange } = await given([{ issuer: nobodyListens }]);
    const { status, body } = await exchange(await forgedToken(keys.privateKey, claimsOf(nobodyListens)));
    expect([status, body['code']]).toEqual([502, 'network']);
  });

  test.each([
    ['nothing', ''],
    ['one word', 'x'],
    ['three words', 'a.b.c'],
    ['three objects', '{}.{}.{}'],
    ['no algorithm', 'eyJhbGciOiJub25lIn0.eyJpc3MiOjF9.'],
    ['20,000 letters', 'x'.repeat(20_000)],
  ])('a text that is no token is refused: %s', async (_what, token) => {
    const { exchange } = await given();
    expect((await exchange(token)).status).toBe(401);
  });

  test.each([
    ['of another type', 'text/plain', '{"token":"x"}', 415],
    ['with a number', 'application/json', '{"token":1}', 422],
    ['with a prototype', 'application/json', '{"token":"x","__proto__":{"a":1}}', 422],
    ['with another key', 'application/json', '{"token":"x","more":1}', 422, /\\"more\\" is not known/],
    ['of null', 'application/json', 'null', 422],
    ['that is cut off', 'application/json', '{', 400],
    ['of more than 1 MB', 'application/json', `{"token":"${'x'.repeat(1_100_000)}"}`, 413],
  ])('an invalid request body is refused: one %s', async (_what, type, body, expected, words = /"code"/) => {
    const { server } = await given();
    const answer = await postExchange(server, body, { type });
    expect([answer.status, await answer.text()]).toEqual([expected, expect.stringMatching(words)]);
  });

  test('a parameter in its address is refused', async () => {
    const { server } = await given();
    const answer = await postExchange(server, '{"token":"x"}', { query: '?audience=x' });
    expect([answer.status, await answer.text()]).toEqual([422, expect.stringContaining('audience')]);
  });

  test('the token of a pipeline is useless in a cookie and after it expires', async () => {
    const { issuer, exchange, me, server } = await given();
    const { body } = await exchange(await forgedToken(keys.privateKey, claimsOf(issuer.origin)));
    const browser = server.browser();
    browser.jar.set('rampart-session', String(body['token']));
    expect((await browser.me()).status).toBe(401);
    const atProvider = givenServer(database, { login: givenLogin }).browser();
    atProvider.jar.set('rampart-session', String(body['token']));
    expect((await atProvider.me()).status).toBe(401);
    expect((await me(body['token'])).status).toBe(200);
    await database.run('update rampart_server.session set expires_at = clock_timestamp()');
    expect((await me(body['token'])).status).toBe(401);
  });
});
