import type { ShownName } from './page-data.ts';

/** The short form as plain text. */
export function shortText(name: ShownName): string {
  if (name === null) return '(no name)';
  if (name === '') return '(empty name)';
  return typeof name === 'string' ? name : name[0];
}

/** The whole text, for searching. */
export function wholeText(name: ShownName): string {
  return typeof name === 'string' || name === null ? (name ?? '') : name[1];
}

/** Does the name begin or end with a blank, which must be made visible? */
export function hasEdges(name: string): boolean {
  return /^\s|\s$/.test(name);
}

/** The longest place that is never broken into two lines. */
const longestUnbroken = 24;

/** The class of a place in a file. A line number alone on a second line would double the height of a row. */
export function sourceClass(file: string, line: number): string {
  return `${file}:${line}`.length <= longestUnbroken ? 'source short' : 'source';
}
