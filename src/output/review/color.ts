/** The styles for emphasized text. A painter gets one of the palettes and never checks which. */
export interface Color {
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  blue(text: string): string;
  magenta(text: string): string;
  cyan(text: string): string;
}

const same = (text: string): string => text;

export const plainColor: Color = {
  bold: same,
  dim: same,
  red: same,
  green: same,
  yellow: same,
  blue: same,
  magenta: same,
  cyan: same,
};

/** Select Graphic Rendition codes of ECMA-48. Calls can be nested, because each closes only what it opened. */
export const ansiColor: Color = {
  bold: style(1, 22),
  dim: style(2, 22),
  red: style(31, 39),
  green: style(32, 39),
  yellow: style(33, 39),
  blue: style(34, 39),
  magenta: style(35, 39),
  cyan: style(36, 39),
};

function style(open: number, close: number): (text: string) => string {
  return (text) => (text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`);
}

/** How a terminal shows text. */
export interface TextStyle {
  readonly color: Color;
  /** The width of the terminal in columns; null for no limit. */
  readonly columns: number | null;
}

/** For texts outside of a terminal. */
export const plainStyle: TextStyle = { color: plainColor, columns: null };
