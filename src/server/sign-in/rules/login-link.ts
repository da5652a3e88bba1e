import type { LoginParts } from './acts.ts';
import { hashOfSecret, randomSecret } from './secret-text.ts';

/** How long a login link can be used, in milliseconds. */
const linkLifeMs = 15 * 60_000;
const kind = 'login-link';

/** The address that signs in the first person who opens it on this machine, as an administrator. */
export async function createLoginLink({ store, url }: Pick<LoginParts, 'store' | 'url'>): Promise<string> {
  const secret = randomSecret();
  await store.tickets.put(kind, hashOfSecret(secret), null, linkLifeMs);
  return `${url()}/login/link?ticket=${secret}`;
}

/** Whether the ticket of a link was valid; it is not afterwards. */
export async function redeemLoginLink(
  { store }: Pick<LoginParts, 'store'>,
  ticket: string,
): Promise<boolean> {
  return (await store.tickets.take(kind, hashOfSecret(ticket))) !== undefined;
}
