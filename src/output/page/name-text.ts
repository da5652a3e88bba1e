import type { ShownName } from './page-data.ts';

/** The short form as plain text. */
export function shortText(name: ShownName): string {
  if (name === null) return '(no name)';
  if (name === '') return '(empty name)';
  return typeof name === 'string' ? name : name[0];
}

/** The whole text, for the search. */
export function wholeText(name: ShownName): string {
  return typeof name === 'string' || name === null ? (name ?? '') : name[1];
}

/** Does it need to be seen that it begins or ends with a blank? */
export function hasEdges(name: string): boolean {
  return /^\s|\s$/.test(name);
}
