import { createHash } from 'node:crypto';

/** A strong ETag: the same bytes have the same tag. */
export function entityTagOf(body: string | Uint8Array): string {
  return `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
}

/** Whether a list of tags, as `If-None-Match` and `If-Match` have it, names this one. */
export function namesTag(header: string, tag: string, comparison: 'weak' | 'strong'): boolean {
  if (header.trim() === '*') return true;
  return header
    .split(',')
    .map((each) => each.trim())
    .some((each) => each === tag || (comparison === 'weak' && strong(each) === strong(tag)));
}

/** The answer with this body, or without one if the request names its tag. */
export function taggedAnswer(
  request: Request,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> & { readonly etag: string; readonly vary?: string },
): Response {
  const known = request.headers.get('if-none-match');
  const { etag, vary } = headers;
  if (known === null || !namesTag(known, etag, 'weak')) return new Response(body, { headers });
  return new Response(null, { status: 304, headers: { etag, ...(vary === undefined ? {} : { vary }) } });
}

/** The tag of a body without fields that only contain when it was made. */
export function weakTagOf(body: object, without: readonly string[]): string {
  const rest = Object.entries(body).filter(([name]) => !without.includes(name));
  return `W/${entityTagOf(JSON.stringify(rest))}`;
}

function strong(tag: string): string {
  return tag.replace(/^W\//, '');
}
