import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { once } from '../../../../src/core/lib/once.ts';
import type { LoginParts } from '../../../../src/server/sign-in/rules/acts.ts';
import { createLoginProvider } from '../../../../src/server/sign-in/rules/login-provider.ts';
import { givenClient } from '../../../given/login-provider.ts';
import { listen, nobodyListens } from '../../../given/loopback.ts';
import { settingsOf } from '../../http/given.ts';
import { forgedToken } from '../forged-token.ts';
import { givenLogin } from '../given.ts';

const keyPair = once(() => generateKeyPair('RS256', { extractable: true }));
const attempt = { state: 's', nonce: 'n', verifier: 'v'.repeat(43), to: '/' };
const answered = '?code=c&state=s';

interface Stub {
  /** Changes the description of the provider. */
  readonly described?: (issuer: string) => Readonly<Record<string, unknown>>;
  readonly status?: () => number;
  /** The claims of the token; null: there is none. */
  readonly claims?: Readonly<Record<string, unknown>> | null;
  readonly facts?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

function partsWith(changed: Partial<LoginParts> = {}): LoginParts {
  return {
    settings: settingsOf(),
    clock: { now: () => Date.now(), sleep: async () => {} },
    env: { CLIENT_SECRET: givenClient.secret },
    hide: () => {},
    url: () => 'http://127.0.0.1:4567',
    ...changed,
  } as LoginParts;
}

/** A sign-in at a provider with the test's responses. */
async function given({ described, status = () => 200, claims = {}, facts = {}, env }: Stub = {}) {
  const requests: string[] = [];
  const sent: { authorization: string | undefined; body: URLSearchParams }[] = [];
  const { privateKey, publicKey } = await keyPair();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    requests.push(request.url ?? '');
    const issuer = `http://${request.headers.host}`;
    const answers: Readonly<Record<string, () => unknown>> = {
      '/.well-known/openid-configuration': () => ({
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        userinfo_endpoint: `${issuer}/me`,
        end_session_endpoint: `${issuer}/end`,
        ...described?.(issuer),
      }),
      '/token': async () => {
        const { authorization } = request.headers;
        sent.push({ authorization, body: new URLSearchParams(await text(request)) });
        const own = { iss: issuer, aud: givenClient.id, nonce: 'n', sub: 'ada-1', name: 'Ada' };
        const token =
          claims === null ? {} : { id_token: await forgedToken(privateKey, { ...own, ...claims }) };
        return { access_token: 'a', token_type: 'bearer', ...token };
      },
      '/jwks': async () => ({
        keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }],
      }),
      '/me': () => ({ sub: 'ada-1', ...facts }),
    };
    const body = JSON.stringify(await answers[request.url ?? '']?.());
    response.writeHead(status(), { 'content-type': 'application/json' }).end(body);
  };
  const port = await listen(createServer((request, response) => void answer(request, response)));
  const issuer = `http://127.0.0.1:${port}`;
  let now = Date.now();
  const parts = partsWith({
    clock: { now: () => now, sleep: async () => {} },
    ...(env === undefined ? {} : { env }),
  });
  const provider = createLoginProvider({ ...givenLogin, issuer }, parts);
  onTestFinished(() => provider.close());
  return { issuer, requests, sent, provider, pass: (ms: number) => (now += ms) };
}

const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
const messageOf = (result: { readonly ok: boolean; readonly problems?: readonly { message: string }[] }) =>
  result.problems?.map(({ message }) => message);

describe('the client secret of a login', () => {
  test.each([
    ['in the header by default', undefined, true],
    ['in the header if the provider has both ways', ['client_secret_post', 'client_secret_basic'], true],
    ['in the body if the provider has no other way', ['client_secret_post'], false],
  ])('is sent %s', async (_where, methods, isBasic) => {
    const { provider, sent } = await given({
      described: () => ({ token_endpoint_auth_methods_supported: methods }),
    });
    expect(await provider.finish(answered, attempt)).toMatchObject({ ok: true });
    const [, basic = ''] = sent[0]?.authorization?.split(' ') ?? [];
    const pair = decodeURIComponent(Buffer.from(basic, 'base64').toString());
    expect(pair).toBe(isBasic ? `${givenClient.id}:${givenClient.secret}` : '');
    expect(sent[0]?.body.get('client_secret')).toBe(isBasic ? null : givenClient.secret);
    expect(sent[0]?.body.get('code_verifier')).toBe(attempt.verifier);
  });

  test('is reported if it is missing, and nothing is sent', async () => {
    const { provider, requests } = await given({ env: {} });
    const missing = [expect.stringContaining('CLIENT_SECRET')];
    expect(messageOf(await provider.begin('/'))).toEqual(missing);
    expect(messageOf(await provider.finish(answered, attempt))).toEqual(missing);
    expect(await provider.logoutUrl()).toBe(null);
    expect(requests).toEqual([]);
  });
});

describe('the person of a login', () => {
  test.each([
    ['no groups if the provider reports none', {}, { userinfo_endpoint: undefined }, [], false],
    ['the groups of the token', { groups: ['ops'] }, {}, ['ops'], false],
    ['the groups of the facts about them', {}, {}, ['staff'], true],
  ])('has %s', async (_what, claims, described, groups, isAsked) => {
    const { provider, requests } = await given({
      claims,
      described: () => described,
      facts: { groups: ['staff'], name: 'Someone', email: 'ada@example.com' },
    });
    expect(await provider.finish(answered, attempt)).toMatchObject({
      ok: true,
      value: { id: 'ada-1', name: 'Ada', email: isAsked ? 'ada@example.com' : null, groups },
    });
    expect(requests.includes('/me')).toBe(isAsked);
  });

  test.each([
    ['without a token', null, /answer is not valid \(OAUTH_\w+\)/],
    ['with a blank in the id', { sub: 'ada 1' }, /no usable user id/],
    ['with a long id', { sub: 'x'.repeat(256) }, /no usable user id/],
    ['with a token of the future', { iat: inSeconds(60) }, /was issued in the future/],
    ['with a token of next year', { iat: inSeconds(31_536_000), exp: 9_999_999_999 }, /in the future/],
    ['with a token that is not valid yet', { nbf: inSeconds(60) }, /OAUTH_/],
    ['with a token without a time of issue', { iat: undefined }, /OAUTH_/],
    ['with a text as the time of issue', { iat: 'now' }, /OAUTH_/],
  ])('is unknown %s', async (_what, claims, words) => {
    const { provider } = await given({ claims });
    expect(messageOf(await provider.finish(answered, attempt))).toEqual([expect.stringMatching(words)]);
  });

  test('is known if the clock of the provider is a little ahead', async () => {
    const { provider } = await given({ claims: { iat: inSeconds(20) } });
    expect(await provider.finish(answered, attempt)).toMatchObject({ ok: true });
  });

  test.each([
    ['?error=access_denied&state=s', 'access_denied'],
    ['?error=%3Cscript%3E&state=s', 'error'],
  ])('is refused in our words: %s', async (search, code) => {
    const { provider } = await given();
    const refused = [`The login provider refused the login (${code})`];
    expect(messageOf(await provider.finish(search, attempt))).toEqual(refused);
  });
});

describe('the description of a login provider', () => {
  test('is read again after an hour, and its changes apply from then on', async () => {
    let path = 'auth';
    const { provider, issuer, pass } = await given({
      described: (origin) => ({ authorization_endpoint: `${origin}/${path}` }),
    });
    const addressOf = async () => {
      const begun = await provider.begin('/');
      return begun.ok ? begun.value.url.split('?')[0] : messageOf(begun);
    };
    expect(await addressOf()).toBe(`${issuer}/auth`);
    path = 'moved';
    pass(3_599_999);
    expect(await addressOf()).toBe(`${issuer}/auth`);
    pass(1);
    expect(await addressOf()).toBe(`${issuer}/moved`);
  });

  test('is read once for logins at the same time', async () => {
    const { provider, requests } = await given();
    await Promise.all([provider.begin('/'), provider.begin('/'), provider.logoutUrl()]);
    expect(requests).toHaveLength(1);
  });

  test("refuses a login at its end as at its beginning if it can't be read", async () => {
    const { provider, issuer, requests } = await given({ status: () => 500 });
    const down = [expect.stringMatching(`^The login provider ${issuer} can't be used: unexpected HTTP`)];
    expect(messageOf(await provider.finish(answered, attempt))).toEqual(down);
    expect(messageOf(await provider.begin('/'))).toEqual(down);
    expect(requests).toHaveLength(1);
  });

  test('is missing for a reason that people can read', async () => {
    const provider = createLoginProvider({ ...givenLogin, issuer: nobodyListens }, partsWith());
    expect(messageOf(await provider.begin('/'))).toEqual([
      expect.stringMatching(/^The login provider http:\/\/127\.0\.0\.1:0 can't be used: .+ can't be reached/),
    ]);
    await provider.close();
  });

  test('decides where to sign out', async () => {
    const { provider, issuer } = await given();
    const url = new URL((await provider.logoutUrl()) ?? '');
    expect(url.origin + url.pathname).toBe(`${issuer}/end`);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe('http://127.0.0.1:4567/');
    const without = await given({ described: () => ({ end_session_endpoint: undefined }) });
    expect(await without.provider.logoutUrl()).toBe(null);
  });
});
