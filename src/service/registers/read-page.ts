import { memberAt } from '../../core/lib/json-object.ts';
import type { HttpRequest } from '../../core/model/register-request.ts';
import { failed, ok, type Result } from '../../core/problem/problem.ts';
import type { ResponseMessage } from '../contract/message.ts';
import { unreadableSource } from './unreadable-source.ts';

/** One page of a register. */
export interface RegisterPage {
  readonly rows: readonly unknown[];
  /** The number of all rows, if the register reports it. */
  readonly total?: number;
  /** Absent for the last page. */
  readonly next?: URL;
}

export interface PageInputs {
  readonly address: URL;
  /** Lower-case names. */
  readonly headers: ResponseMessage['headers'];
  readonly document: unknown;
  /** The number of rows on earlier pages. */
  readonly rows: number;
}

/** The headers that decide how many pages there are, with lower-case names. */
export function usedHeaders({ paging: { total } }: HttpRequest): readonly string[] {
  const ofTotal = total?.startsWith('header:') === true ? [headerName(total)] : [];
  return ['link', 'content-range', ...ofTotal];
}

function headerName(total: string): string {
  return total.slice('header:'.length).toLowerCase();
}

/** The rows of a page, and the address of the next one. */
export function readPage(request: HttpRequest, inputs: PageInputs): Result<RegisterPage> {
  const { rowsAt, paging, source } = request;
  const list = rowsAt === undefined ? inputs.document : fieldAt(inputs.document, rowsAt);
  if (!Array.isArray(list)) {
    const where = rowsAt === undefined ? 'a page' : `"${rowsAt}" of a page`;
    return failed(
      unreadableSource(
        source,
        `${where} is not a list of rows`,
        'set "rowsAt" to the field with the rows, or check the preset',
      ),
    );
  }
  const total = totalOf(paging, inputs);
  if (total === undefined && (paging.total !== undefined || paging.by === 'range')) {
    const what = 'a page does not report the number of all rows, so the rows may be incomplete';
    return failed(unreadableSource(source, what));
  }
  const next = nextOf(request, inputs, list.length, total);
  return ok({
    rows: list,
    ...(total === undefined ? {} : { total }),
    ...(next === undefined ? {} : { next }),
  });
}

function totalOf(
  { total, by }: HttpRequest['paging'],
  { document, headers }: PageInputs,
): number | undefined {
  const range = by === 'range' ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : undefined;
  const text =
    range ??
    (total === undefined
      ? undefined
      : total.startsWith('header:')
        ? headers[headerName(total)]
        : fieldAt(document, total));
  const isCount = typeof text === 'number' || (typeof text === 'string' && /^\d{1,12}$/.test(text));
  return isCount ? Number(text) : undefined;
}

/**
 * Without a total, only an empty page is the end: a register may return fewer rows on a page than requested. The offset
 * counts the received rows, not the requested ones.
 */
function nextOf(
  { paging }: HttpRequest,
  { address, headers, document, rows }: PageInputs,
  count: number,
  total: number | undefined,
): URL | undefined {
  const { by, param, size, at = '' } = paging;
  const read = rows + count;
  const isEnd = count === 0 || (total !== undefined && read >= total);
  const withParam = (value: string) => {
    const next = new URL(address);
    next.searchParams.set(param, value);
    return next;
  };
  switch (by) {
    case 'offset':
      return isEnd ? undefined : withParam(String(read));
    case 'page':
      return isEnd ? undefined : withParam(String(Number(address.searchParams.get(param)) + 1));
    case 'range':
      // GLPI refuses a range beyond the last row, and reports the number of rows with each page.
      return isEnd || total === undefined ? undefined : withParam(`${read}-${read + size - 1}`);
    case 'cursor': {
      const cursor = textAt(document, at);
      return cursor === '' ? undefined : withParam(cursor);
    }
    case 'next': {
      const next = textAt(document, at);
      return next === '' ? undefined : addressOf(next, address);
    }
    case 'link': {
      const found = nextLink(headers['link'] ?? '');
      return found === undefined ? undefined : addressOf(found, address);
    }
    case 'none':
      return undefined;
  }
}

/** The address of the next page in a Link header (RFC 8288). An overlooked one would look like the end of the pages. */
function nextLink(header: string): string | undefined {
  const links = [...header.matchAll(/<([^>]*)>((?:[^",]|"[^"]*")*)/g)];
  const isNext = /;\s*rel\s*=\s*(?:next\s*(?:;|$)|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i;
  return links.find(([, , parameters = '']) => isNext.test(parameters))?.[1];
}

/** A text or a number; empty if there is none. Any other value is not an address. */
function textAt(document: unknown, path: string): string {
  const found = fieldAt(document, path) ?? '';
  return typeof found === 'string' ? found : JSON.stringify(found);
}

/** What is no address is not the end of the pages: an address of no origin is refused. */
function addressOf(text: string, base: URL): URL {
  return URL.parse(text, base.href) ?? new URL('invalid:');
}

/** A field of a page, or a path of fields with points. A name may itself contain points, such as `@odata.nextLink`. */
export function fieldAt(value: unknown, path: string): unknown {
  const own = memberAt(value, [path]);
  return own === undefined ? memberAt(value, path.split('.')) : own;
}
