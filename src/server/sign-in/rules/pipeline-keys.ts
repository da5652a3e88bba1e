import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import { z } from 'zod';
import { memo } from '../../../core/lib/memo.ts';
import type { GuardedHttp } from '../../../service/client/guarded-fetch.ts';
import type { LoginParts } from './acts.ts';
import { guardedHttpFor } from './login-provider.ts';

const discovery = z.object({ issuer: z.string(), jwks_uri: z.url() });

export interface PipelineKeys {
  /** The keys of a pinned issuer. Rejects if they can't be read, or if the issuer keeps them elsewhere. */
  of(issuer: string): Promise<JWTVerifyGetKey>;
  close(): Promise<void>;
}

/** Keys are read on first use, and again if a token names an unknown one. */
export function createPipelineKeys(parts: LoginParts): PipelineKeys {
  const opened: GuardedHttp[] = [];
  const known = new Map<string, Promise<JWTVerifyGetKey>>();
  const httpOf = memo((issuer: string) => {
    const http = guardedHttpFor(new URL(issuer), parts);
    opened.push(http);
    return http;
  });

  async function read(issuer: string): Promise<JWTVerifyGetKey> {
    const http = httpOf(issuer);
    const answer = await http.fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    if (answer.status !== 200) throw new Error(`the issuer answered ${answer.status}`);
    const read = discovery.parse(await answer.json());
    if (read.issuer !== issuer) throw new Error('the metadata of the issuer name another issuer');
    const address = new URL(read.jwks_uri);
    if (address.origin !== new URL(issuer).origin)
      throw new Error('the metadata of the issuer name keys at another origin');
    return createRemoteJWKSet(address, { [customFetch]: http.fetch });
  }

  return {
    async of(issuer) {
      const keys = known.get(issuer) ?? read(issuer);
      known.set(issuer, keys);
      // A failure is not kept.
      keys.catch(() => known.delete(issuer));
      return keys;
    },
    async close() {
      await Promise.all(opened.map((http) => http.close()));
    },
  };
}
