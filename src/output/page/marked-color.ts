import type { Color } from '../review/color.ts';
import { escaped, type Html } from './markup.ts';

const classes = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
// Control characters are safe as marks: `printable` turns those in a text into symbols.
const open = (name: string) => `\u0001${name}\u0003`;
const close = '\u0002';

/** A palette for text that becomes HTML: it sets marks, which `markedHtml` turns into elements. */
export const markedColor: Color = Object.fromEntries(
  classes.map((name) => [name, (text: string) => (text === '' ? '' : open(name) + text + close)]),
) as unknown as Color;

/** Converts painted text to HTML. */
export function markedHtml(text: string): Html {
  const markup = classes.reduce(
    (sofar, name) => sofar.replaceAll(open(name), `<span class="${name}">`),
    escaped(text),
  );
  return { markup: markup.replaceAll(close, '</span>') };
}
