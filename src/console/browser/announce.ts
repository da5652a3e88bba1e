import { signal } from '@preact/signals';

/** What a screen reader says next. */
export const announcement = signal('');

/** Lets a screen reader say a sentence without moving the focus. */
export function announce(text: string): void {
  // The same sentence twice would not be said again.
  announcement.value = announcement.value === text ? `${text} ` : text;
}
