import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { ForgeKind } from './forge.ts';

/**
 * Whether the sender of a webhook knows its secret: GitHub signs the body, GitLab sends the secret. Both comparisons take
 * the same time for every input.
 */
export function isGenuine(forge: ForgeKind, headers: Headers, body: Uint8Array, secret: string): boolean {
  switch (forge) {
    case 'github': {
      const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
      return isEqual(headers.get('x-hub-signature-256') ?? '', expected);
    }
    case 'gitlab':
      return isEqual(headers.get('x-gitlab-token') ?? '', secret);
  }
}

/** Compares digests, so that not even the lengths show. */
function isEqual(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

/**
 * What identifies a delivery: the id that the forge gives it, and its content. The signature of GitHub does not cover
 * the id, so a replay could have another one.
 */
export function deliveryIds(forge: ForgeKind, headers: Headers, body: Uint8Array): readonly string[] {
  const id = headers.get(forge === 'github' ? 'x-github-delivery' : 'x-gitlab-event-uuid') ?? '';
  const event = headers.get(forge === 'github' ? 'x-github-event' : 'x-gitlab-event') ?? '';
  const content = createHash('sha256').update(`${event}\n`).update(body).digest('hex');
  return /^[\w-]{8,100}$/.test(id) ? [`id:${id}`, `body:${content}`] : [`body:${content}`];
}
