const written = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2}(?:\.\d+)?) ?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * The time in a report token's `expires`, in milliseconds since the epoch: `2018-11-05 11:35:43Z` or ISO 8601, in UTC
 * if there is no zone (specification section 4, #14). Null, and a text that is not a date, mean immediately.
 */
export function parseExpires(expires: string | null): number | null {
  const [, day, time, zone = 'Z'] = written.exec(expires?.trim() ?? '') ?? [];
  if (day === undefined) return null;
  const moment = Date.parse(`${day}T${time}${zone.toUpperCase()}`);
  return Number.isNaN(moment) ? null : moment;
}

/** The milliseconds until then by the service's clock: ours plus its lead. Never negative. */
export function expiresInMs(
  expires: string | null,
  clock: { readonly now: number; readonly skewMs: number },
): number {
  const moment = parseExpires(expires);
  return moment === null ? 0 : Math.max(0, moment - (clock.now + clock.skewMs));
}
