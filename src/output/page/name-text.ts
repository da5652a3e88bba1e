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

/** The longest text that is never broken into two lines on paper. */
const longestUnbroken = 24;

/** A host or a place that breaks doubles the height of its row. */
export function isUnbroken(text: string): boolean {
  return text.length <= longestUnbroken;
}

/** The class of a place in a file. */
export function sourceClass(file: string, line: number): string {
  return isUnbroken(`${file}:${line}`) ? 'source short' : 'source';
}
