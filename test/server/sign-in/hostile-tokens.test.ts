import { createServer } from 'node:http';
import {
  CompactEncrypt,
  CompactSign,
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWK,
} from 'jose';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createLoginProvider } from '../../../src/server/sign-in/rules/login-provider.ts';
import { givenClient } from '../../given/login-provider.ts';
import { listen } from '../../given/loopback.ts';
import { givenDatabase, givenLogin, givenServer, postExchange } from './given.ts';

const database = givenDatabase();
const attempt = { state: 's', nonce: 'n', verifier: 'v'.repeat(43), to: '/' };

interface Pair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}
let own: Pair;
let next: Pair;
let theirs: Pair;
beforeAll(async () => {
  const pair = () => generateKeyPair('RS256', { extractable: true });
  [own, next, theirs] = await Promise.all([pair(), pair(), pair()]);
}, 60_000);
afterEach(() => void vi.useRealTimers());

const publicJwk = async ({ publicKey }: Pair, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
  alg: 'RS256',
  use: 'sig',
});

const utf8 = (text: string) => new TextEncoder().encode(text);
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

let serial = 0;
function claimsOf(issuer: string) {
  serial += 1;
  const now = Math.floor(Date.now() / 1000);
  const about = { iss: issuer, sub: 'repo:acme/fleet', nonce: 'n', jti: `job-${serial}` };
  return { ...about, aud: givenClient.id, repository_id: '1', groups: ['ops'], iat: now, exp: now + 600 };
}

type Header = Readonly<Record<string, unknown>> & { readonly alg?: string };

async function sign(claims: unknown, key: CryptoKey | Uint8Array, header: Header = {}): Promise<string> {
  const signer = new CompactSign(utf8(JSON.stringify(claims)));
  signer.setProtectedHeader({ alg: 'RS256', kid: 'one', ...header });
  // The library would not sign a token that it would not accept.
  return signer.sign(key, { crit: { mystery: true, exp: true } });
}

/** Both uses of one issuer's tokens: a person who signs in, and a job that exchanges its token. */
async function given() {
  const state = { token: '', keys: [await publicJwk(own, 'one')] };
  const strayed: string[] = [];
  const theirKeys = { keys: [await publicJwk(theirs, 'one')] };
  const attacker = await listen(
    createServer((request, response) => {
      strayed.push(request.url ?? '');
      response.end(JSON.stringify(theirKeys));
    }),
  );
  const port = await listen(
    createServer((request, response) => {
      const answers: Readonly<Record<string, unknown>> = {
        '/.well-known/openid-configuration': {
          issuer,
          authorization_endpoint: `${issuer}/auth`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
        },
        '/token': { access_token: 'a', token_type: 'bearer', id_token: state.token },
        '/jwks': { keys: state.keys },
      };
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answers[request.url ?? '']));
    }),
  );
  const issuer = `http://127.0.0.1:${port}`;
  const place = { file: 'rampart.config.yaml', line: 1, col: 1 };
  const rule = {
    issuer,
    audience: givenClient.id,
    claims: { repository_id: ['1'] },
    role: 'viewer',
  } as const;
  const server = givenServer(database, { pipelines: [{ ...rule, place }] });
  const provider = createLoginProvider(
    { ...givenLogin, issuer },
    {
      settings: server.settings,
      clock: { now: () => Date.now(), sleep: async () => {} },
      env: { CLIENT_SECRET: givenClient.secret },
      hide: () => {},
      url: () => 'http://127.0.0.1:4567',
      ...database,
    },
  );
  /** Whether each of the two accepts a token: signing in, and the exchange. */
  async function tryBoth(token: string): Promise<readonly [boolean, boolean]> {
    state.token = token;
    const signedIn = await provider.finish('?code=c&state=s', attempt);
    const exchanged = await postExchange(server, JSON.stringify({ token }));
    return [signedIn.ok, exchanged.status === 200];
  }
  /** For the libraries and for the server. */
  function pass(ms: number): void {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    server.pass(ms);
  }
  return { issuer, tryBoth, strayed, state, pass, attacker: `http://127.0.0.1:${attacker}` };
}

interface Forge {
  readonly claims: object;
  readonly attacker: string;
}

const hostile: Readonly<Record<string, (given: Forge) => Promise<string> | string>> = {
  'says where its keys are (jku)': ({ claims, attacker }) =>
    sign(claims, theirs.privateKey, { jku: `${attacker}/jwks` }),
  'says where its certificate is (x5u)': ({ claims, attacker }) =>
    sign(claims, theirs.privateKey, { x5u: `${attacker}/certificate` }),
  'brings its own key (jwk)': async ({ claims }) =>
    sign(claims, theirs.privateKey, { jwk: await publicJwk(theirs, 'one') }),
  'brings its own certificate (x5c)': async ({ claims }) => {
    const der = Buffer.from(await crypto.subtle.exportKey('spki', theirs.publicKey)).toString('base64');
    return sign(claims, theirs.privateKey, { x5c: [der] });
  },
  'names the key of another issuer by its address': ({ claims, attacker }) =>
    sign(claims, theirs.privateKey, { kid: `${attacker}/jwks#one` }),
  'names a file as its key': ({ claims }) =>
    sign(claims, utf8('\n'), { alg: 'HS256', kid: '../../../../dev/null' }),
  'asks for an extension that is unknown (crit)': ({ claims }) =>
    sign(claims, own.privateKey, { crit: ['mystery'], mystery: 1 }),
  'asks for a claim as an extension': ({ claims }) => sign(claims, own.privateKey, { crit: ['exp'], exp: 1 }),
  'asks for no extension at all': ({ claims }) => rawSigned({ alg: 'RS256', kid: 'one', crit: [] }, claims),
  'has a payload that is not encoded (b64)': ({ claims }) =>
    rawSigned({ alg: 'RS256', kid: 'one', b64: false, crit: ['b64'] }, claims),
  'has an unprotected algorithm': ({ claims }) => `${part({ alg: 'none' })}.${part(claims)}.`,
  'writes none with other capitals': ({ claims }) => `${part({ alg: 'nOnE' })}.${part(claims)}.`,
  'has an empty algorithm': ({ claims }) => `${part({ alg: '' })}.${part(claims)}.`,
  'has no algorithm': ({ claims }) => `${part({ kid: 'one' })}.${part(claims)}.`,
  'has a list as its algorithm': ({ claims }) =>
    `${part({ alg: ['RS256'], kid: 'one' })}.${part(claims)}.AAAA`,
  'has the public key as its secret, as PEM': async ({ claims }) =>
    sign(claims, utf8(await exportSPKI(own.publicKey)), { alg: 'HS256' }),
  'has the public key as its secret, as JSON': async ({ claims }) =>
    sign(claims, utf8(JSON.stringify(await publicJwk(own, 'one'))), { alg: 'HS256' }),
  'has the client secret as its secret': ({ claims }) =>
    sign(claims, utf8(givenClient.secret), { alg: 'HS256' }),
  'is signed with another key of the same name': ({ claims }) => sign(claims, theirs.privateKey),
  'is signed with another key and names none': ({ claims }) =>
    sign(claims, theirs.privateKey, { kid: undefined }),
  'names a key that the issuer does not have': ({ claims }) => sign(claims, own.privateKey, { kid: 'two' }),
  'has the signature of another token': async ({ claims }) => {
    const [head = '', , signature = ''] = (await sign({ ...claims, sub: 'other' }, own.privateKey)).split(
      '.',
    );
    return `${head}.${part(claims)}.${signature}`;
  },
  'has no signature': async ({ claims }) =>
    `${(await sign(claims, own.privateKey)).split('.').slice(0, 2).join('.')}.`,
  'has a fourth part': async ({ claims }) => `${await sign(claims, own.privateKey)}.AAAA`,
  'is encrypted for the server': async ({ claims }) =>
    new CompactEncrypt(utf8(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'RSA-OAEP-256', enc: 'A256GCM' })
      .encrypt((await generateKeyPair('RSA-OAEP-256')).publicKey),
  'is a list of claims': ({ claims }) => sign([claims], own.privateKey),
  'is the text of its claims': ({ claims }) => sign(JSON.stringify(claims), own.privateKey),
};

/** A valid signature of the key of the issuer over a header that the library does not write. */
async function rawSigned(header: Header, claims: unknown): Promise<string> {
  const text = `${part(header)}.${part(claims)}`;
  const signature = await crypto.subtle.sign('RSASSA-PKCS1-v1_5', own.privateKey, utf8(text));
  return `${text}.${Buffer.from(signature).toString('base64url')}`;
}

describe('signing in and the exchange of tokens', () => {
  test('accept a token that the issuer signed', async () => {
    const { issuer, tryBoth } = await given();
    expect(await tryBoth(await sign(claimsOf(issuer), own.privateKey))).toEqual([true, true]);
    expect(await tryBoth(await rawSigned({ alg: 'RS256', kid: 'one' }, claimsOf(issuer)))).toEqual([
      true,
      true,
    ]);
  });

  test.each(Object.entries(hostile))(
    'refuse a token that %s, without a request to anyone else',
    async (_what, forge) => {
      const { issuer, tryBoth, strayed, attacker } = await given();
      const token = await forge({ claims: claimsOf(issuer), attacker });
      expect([await tryBoth(token), strayed]).toEqual([[false, false], []]);
    },
  );

  test('accept the next key of the issuer, and no longer the key that it withdrew', async () => {
    const { issuer, tryBoth, state, pass } = await given();
    const oldToken = () => sign(claimsOf(issuer), own.privateKey);
    expect(await tryBoth(await oldToken())).toEqual([true, true]);
    state.keys = [await publicJwk(own, 'one'), await publicJwk(next, 'two')];
    pass(61_000);
    const newToken = () => sign(claimsOf(issuer), next.privateKey, { kid: 'two' });
    expect(await tryBoth(await newToken())).toEqual([true, true]);
    state.keys = [await publicJwk(next, 'two')];
    pass(601_000);
    expect(await tryBoth(await oldToken())).toEqual([false, false]);
    expect(await tryBoth(await newToken())).toEqual([true, true]);
  });
});
