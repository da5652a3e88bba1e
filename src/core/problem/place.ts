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
  const { file, line, col, wholeLine, part } = place;
  return `${file}:${line}${wholeLine === true ? '' : `:${col}`}${part === undefined ? '' : ` (${part})`}`;
}
