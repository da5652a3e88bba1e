import { z } from 'zod';
import { roles } from '../../../api/access/action.ts';
import type { Grant, Subject } from '../../../api/access/grants.ts';
import { toGrant } from '../../../api/access/grants.ts';
import type { RoleRule } from '../../settings/server-settings.ts';
import type { Store } from '../../store/open-store.ts';
import { hashOfSecret } from './secret-text.ts';

const subject = z.object({ id: z.string(), name: z.string() });
const grant = z
  .object({ role: z.enum(roles), where: z.string().exactOptional() })
  .readonly() satisfies z.ZodType<Grant>;

/** A list of grants as the database stores it. */
export const storedGrants = z.array(grant);

/**
 * What a session stores about its owner. The roles of a person follow from the groups at each request, so a changed
 * mapping holds at once.
 */
const storedIdentity = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('person'),
    subject: subject.extend({ kind: z.literal('person') }),
    email: z.string().nullable(),
    groups: z.array(z.string()),
  }),
  z.object({ kind: z.literal('operator'), subject: subject.extend({ kind: z.literal('operator') }) }),
  z.object({
    kind: z.literal('pipeline'),
    subject: subject.extend({ kind: z.literal('pipeline') }),
    grants: storedGrants,
  }),
]);
export type StoredIdentity = z.infer<typeof storedIdentity>;

/** The owner of a session that has not ended; notes that it was used. `idleMs` is how long it lasts without requests. */
export async function useSession(
  { sessions }: Pick<Store, 'sessions'>,
  secret: string,
  idleMs: number,
): Promise<{ readonly owner: StoredIdentity; readonly expiresAt: Date } | undefined> {
  const session = await sessions.use(hashOfSecret(secret), idleMs);
  if (session === undefined) return undefined;
  const { success, data: owner } = storedIdentity.safeParse(session.identity);
  return success ? { owner, expiresAt: session.expiresAt } : undefined;
}

/** The operator of the machine: anyone who can read the server's output. */
export const operator: Subject & { readonly kind: 'operator' } = {
  kind: 'operator',
  id: 'operator',
  name: 'Operator',
};

/** The roles of a person in these groups. */
export function grantsOf(groups: readonly string[], rules: readonly RoleRule[]): readonly Grant[] {
  const own = new Set(groups);
  return rules.filter(({ group }) => own.has(group)).map(toGrant);
}
