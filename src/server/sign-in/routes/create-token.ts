import type { CallerIdentity, Grant } from '../../../api/access/grants.ts';
import { limitGrants } from '../../../api/access/limit-grants.ts';
import { ok, type Result } from '../../../core/problem/problem.ts';
import type { TokenRecord } from '../records/tokens.ts';
import type { Acts, LoginParts } from '../rules/acts.ts';
import { hashOfSecret, randomSecret } from '../rules/secret-text.ts';
import { tokenPrefix } from './identify.ts';

export interface TokenRequest {
  readonly name: string;
  readonly grants: readonly Grant[];
  readonly days: number;
}

const dayMs = 86_400_000;

/**
 * Creates a token with at most the rights of its creator. The returned text is the only place where it can be read: the
 * database stores its hash.
 */
export async function createToken(
  { name, grants, days }: TokenRequest,
  creator: CallerIdentity,
  from: string,
  { store, settings, hide, acts }: Pick<LoginParts, 'store' | 'settings' | 'hide'> & { readonly acts: Acts },
): Promise<Result<{ readonly record: TokenRecord; readonly token: string }>> {
  const limited = limitGrants(creator.grants, grants, settings.labels);
  if (!limited.ok) return limited;
  const recorded = await acts.record({
    kind: 'token-created',
    by: creator.subject,
    from,
    what: { token: name, grants: limited.value, days },
  });
  if (!recorded.ok) return recorded;
  const token = tokenPrefix + randomSecret();
  hide([token]);
  const record = await store.tokens.create({
    name,
    hash: hashOfSecret(token),
    grants: limited.value,
    createdBy: creator.subject,
    lifeMs: days * dayMs,
  });
  return ok({ record, token });
}
