/** Moves the focus to the main link of the next or previous row of the page's lists. False if there is none. */
export function focusRow(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')].filter(
    (row) => targetOf(row) !== null,
  );
  const here = document.activeElement?.closest('[data-row]');
  const index = rows.findIndex((row) => row === here);
  const next = index === -1 ? (rows.find(isInView) ?? rows[0]) : rows[index + step];
  const target = next === undefined ? null : targetOf(next);
  if (target === null) return false;
  target.focus();
  target.scrollIntoView({ block: 'nearest' });
  return true;
}

function targetOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('a[href], button');
}

function isInView(row: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect();
  return top >= 0 && top < window.innerHeight;
}
