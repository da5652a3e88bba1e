import { signal } from '@preact/signals';

/** Whether the page is being printed, where scrolling lists show everything that was read. */
export const isPrinting = signal(false);

matchMedia('print').addEventListener('change', ({ matches }) => {
  isPrinting.value = matches;
});
