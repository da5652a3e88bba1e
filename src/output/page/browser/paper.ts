/** Reports when the page is printed and when it is back on the screen. */
export function watchPaper(notify: (onPaper: boolean) => void): void {
  addEventListener('beforeprint', () => notify(true));
  addEventListener('afterprint', () => notify(false));
  // What shows the page as on paper without printing it sends no such events.
  matchMedia('print').addEventListener('change', ({ matches }) => notify(matches));
}
