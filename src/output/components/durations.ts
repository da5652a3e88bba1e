/** `about 2 min`, `2 to 5 min`. */
export function durationRange({ low, high }: { readonly low: number; readonly high: number }): string {
  const from = shortDuration(low);
  const to = shortDuration(high);
  if (from === to) return `about ${to}`;
  const [fromNumber, fromUnit] = from.split(' ');
  return fromUnit === to.split(' ')[1] ? `${fromNumber} to ${to}` : `${from} to ${to}`;
}

/** `40 s`, `12 min`, `3 h`, `2 days`. */
export function shortDuration(seconds: number): string {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
