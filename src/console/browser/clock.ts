import { signal } from '@preact/signals';

/** The time that relative times are shown for. One timer serves the whole page. */
export const now = signal(Date.now());

const step = 10_000;

setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, step);
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) now.value = Date.now();
});
