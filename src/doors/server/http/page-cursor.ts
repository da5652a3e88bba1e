import { z } from 'zod';
import { problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';

/** The sort values of the last row of a page. */
export type PageKey = readonly (string | number | null)[];

const content = z.tuple([z.string().max(40)], z.union([z.string().max(2_000), z.number(), z.null()]));

/** An opaque position in a list. It holds sort values only: what the caller may see is checked on every page. */
export function toCursor(list: string, key: PageKey): string {
  return Buffer.from(JSON.stringify([list, ...key])).toString('base64url');
}

/** The position in this list with this number of sort values. Cursors of other lists and invented ones are refused. */
export function readCursor(list: string, size: number, cursor: string): Result<PageKey> {
  const refused = () =>
    failed(
      problem('invalid-value', 'The cursor is not one that this list returned', {
        hint: 'read the list again without "cursor"',
      }),
    );
  if (!/^[\w-]{1,8192}$/.test(cursor)) return refused();
  try {
    const [from, ...key] = content.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    return from === list && key.length === size ? ok(key) : refused();
  } catch {
    return refused();
  }
}
