import { isInt64 } from '../../lib/int64.ts';

/** What values mean, as they are written in JSON with one character for each byte. Undefined: they are of another kind. */
export interface JsonValues {
  /** A string or null. */
  text(written: string | undefined): string | null | undefined;
  /** What stands between the quotation marks of a string that has no escapes. */
  plain(written: string): string;
  /** A 64-bit integer as its decimal text. */
  integer(written: string | undefined): string | undefined;
  flag(written: string | undefined): boolean | undefined;
}

export const asciiValues = valuesWith((written) => written);

export const utf8Values = valuesWith((written) =>
  /[\x80-\xff]/.test(written) ? Buffer.from(written, 'latin1').toString('utf8') : written,
);

function valuesWith(decode: (written: string) => string): JsonValues {
  return {
    plain: decode,
    text(written) {
      if (written === 'null') return null;
      return written?.startsWith('"') ? (JSON.parse(decode(written)) as string) : undefined;
    },
    integer: (written = '') => (isInt64(written) ? written : undefined),
    flag: (written) => (written === 'true' ? true : written === 'false' ? false : undefined),
  };
}
