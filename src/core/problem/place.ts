/** The line and the column of a place that has none, such as the run that an undo reverses. */
export const noLine = 0;

/** A position in a source file. Line and column count from 1, columns in UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly col: number;
  /** Only the line is known; `col` is its first column. */
  readonly wholeLine?: true;
  /** How many columns the caret line underlines; 1 when absent. */
  readonly width?: number;
  /**
   * The source line, kept only if a caret line will be drawn. Of a very long line, only the part around the position.
   */
  readonly text?: string;
  /** The column of `text`'s first character; 1 when absent. */
  readonly textCol?: number;
  /** The part of the file, if line and column are not enough: `row 7, column "id"`, `hosts[3].group`. */
  readonly part?: string;
}

/** A place without its source line. */
export type FilePosition = Pick<Place, 'file' | 'line' | 'col'>;

export function formatPlace(place: Place): string {
  const { line, col, wholeLine, part } = place;
  const where =
    wholeLine === true ? fileAndLine(place) : `${fileAndLine(place)}${line === noLine ? '' : `:${col}`}`;
  return `${where}${part === undefined ? '' : ` (${part})`}`;
}

/** `fleet.yaml:12`, or only the file if there is no line. */
export function fileAndLine({ file, line }: { readonly file: string; readonly line: number }): string {
  return line === noLine ? file : `${file}:${line}`;
}
