const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `5m`, `24h`, `2d`, or a bare number of seconds, in milliseconds; undefined for anything else. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,9})(ms|s|m|h|d)?$/.exec(text.trim());
  if (match === null) return undefined;
  return Number(match[1]) * (units[match[2] ?? 's'] ?? 1000);
}
