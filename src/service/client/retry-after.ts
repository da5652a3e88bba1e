/**
 * The wait that a `Retry-After` header requests, in milliseconds: seconds, or an HTTP date. A date is compared with the
 * response's own `Date`, so that a wrong clock on either side does not matter.
 */
export function retryAfterMs(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = (headers['retry-after'] ?? '').trim();
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  if (Number.isNaN(until)) return undefined;
  return Math.max(0, until - (serverTime(headers) ?? now));
}

/** The time in the response's `Date` header, in milliseconds since the epoch. */
export function serverTime(headers: Readonly<Record<string, string>>): number | undefined {
  const time = Date.parse(headers['date'] ?? '');
  return Number.isNaN(time) ? undefined : time;
}
