/** Reports when printing starts and ends. */
export function watchPaper(notify: (onPaper: boolean) => void): void {
  addEventListener('beforeprint', () => notify(true));
  addEventListener('afterprint', () => notify(false));
  // Print emulation without printing sends no such events.
  matchMedia('print').addEventListener('change', ({ matches }) => notify(matches));
}
