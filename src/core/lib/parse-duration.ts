const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `30s`, `10m`, `2h` or `7d` in milliseconds. */
export function parseDuration(text: string): number | undefined {
  const match = /^(\d{1,6})([smhd])$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (units[match[2] ?? ''] ?? 0);
}
