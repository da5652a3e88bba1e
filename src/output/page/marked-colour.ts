import type { Colour } from '../review/colour.ts';
import { escaped, type Html } from './markup.ts';

const classes = ['bold', 'dim', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan'] as const;
// Control characters, which no text of a painter holds: `printable` makes symbols of them.
const open = (name: string) => `\u0001${name}\u0003`;
const close = '\u0002';

/** Colour for text that becomes HTML: what stands out is marked, and `markedHtml` makes elements of the marks. */
export const markedColour: Colour = Object.fromEntries(
  classes.map((name) => [name, (text: string) => (text === '' ? '' : open(name) + text + close)]),
) as unknown as Colour;

/** A painted text as HTML. */
export function markedHtml(text: string): Html {
  const markup = classes.reduce(
    (sofar, name) => sofar.replaceAll(open(name), `<span class="${name}">`),
    escaped(text),
  );
  return { markup: markup.replaceAll(close, '</span>') };
}
