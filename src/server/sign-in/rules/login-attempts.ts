import { z } from 'zod';
import { parseJson } from '../../../core/lib/parse-json.ts';
import { localPath } from './local-path.ts';
import type { LoginAttempt } from './login-provider.ts';

const text = z.string().max(200);
const attempts = z.array(
  // Without TLS, every program of this machine can set the cookie, so its path is checked again.
  z.object({ state: text, nonce: text, verifier: text, to: z.string().max(2_000).transform(localPath) }),
);

/** Browsers keep cookies of up to 4,096 bytes. */
const mostBytes = 3_500;

/**
 * The logins that a browser has begun, latest first, as the value of a cookie: several tabs may sign in at once. Nothing
 * is stored on the server for people who never come back.
 */
export function writeAttempts(latest: LoginAttempt, earlier: readonly LoginAttempt[]): string {
  let kept: readonly LoginAttempt[] = [latest, ...earlier];
  for (;;) {
    const value = Buffer.from(JSON.stringify(kept)).toString('base64url');
    if (value.length <= mostBytes) return value;
    kept = kept.length > 1 ? kept.slice(0, -1) : [{ ...latest, to: '/' }];
  }
}

export function readAttempts(cookie = ''): readonly LoginAttempt[] {
  return attempts.safeParse(parseJson(Buffer.from(cookie, 'base64url').toString())).data ?? [];
}
