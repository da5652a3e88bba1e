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

/** Ticks or clears the box of the row with the focus, as a click does. False if it has none. */
export function chooseRow(): boolean {
  const box = document.activeElement
    ?.closest('[data-row]')
    ?.querySelector<HTMLElement>('input[type="checkbox"]');
  box?.click();
  return box !== null && box !== undefined;
}

function targetOf(row: HTMLElement): HTMLElement | null {
  return row.querySelector<HTMLElement>('a[href], button');
}

function isInView(row: HTMLElement): boolean {
  const { top } = row.getBoundingClientRect();
  return top >= 0 && top < window.innerHeight;
}
