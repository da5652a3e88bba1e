import { signal } from '@preact/signals';

/** Whether the page is on its way to paper, where lists that scroll show all that was read. */
export const isPrinting = signal(false);

matchMedia('print').addEventListener('change', ({ matches }) => {
  isPrinting.value = matches;
});
