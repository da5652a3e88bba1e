import { type CryptoKey, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';

export interface Forgery {
  readonly alg?: string;
  readonly kid?: string;
  readonly foreign?: true;
  readonly [claim: string]: unknown;
}

/** A token of this key with a change that must be noticed. `foreign` signs it with another key. */
export async function forgedToken(
  key: CryptoKey,
  claims: JWTPayload,
  { alg = 'RS256', kid = 'one', foreign, ...changed }: Forgery = {},
) {
  const now = Math.floor(Date.now() / 1000);
  const payload = { sub: 'mallory', iat: now, exp: now + 600, ...claims, ...changed };
  if (alg === 'none') return new UnsecuredJWT(payload).encode();
  const token = new SignJWT(payload).setProtectedHeader({ alg, kid });
  if (alg === 'HS256') return token.sign(new TextEncoder().encode('client-secret-canary-0123456789abcdef'));
  return token.sign(foreign === true ? (await generateKeyPair(alg)).privateKey : key);
}
