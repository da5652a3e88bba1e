/** Tells when the page goes to paper and when it is back on the screen. */
export function watchPaper(tell: (onPaper: boolean) => void): void {
  addEventListener('beforeprint', () => tell(true));
  addEventListener('afterprint', () => tell(false));
  // What shows the page as on paper without printing it sends no such events.
  matchMedia('print').addEventListener('change', ({ matches }) => tell(matches));
}
