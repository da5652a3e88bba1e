import { describe, expect, it } from 'vitest';
import type { Paging } from '../../../src/core/model/register-request.ts';
import { readPage } from '../../../src/service/registers/read-page.ts';

const address = new URL('https://register.example/rows?page=1');

function nextAfter(paging: Partial<Paging>, page: { readonly link?: string; readonly document?: unknown }) {
  const read = readPage(
    {
      source: 'cmdb',
      path: '/rows',
      rowsAt: 'rows',
      paging: { param: '', size: 2, first: 1, by: 'link', ...paging },
    },
    {
      address,
      headers: page.link === undefined ? {} : { link: page.link },
      document: page.document ?? { rows: [{}] },
      rows: 0,
    },
  );
  return read.ok ? (read.value.next?.href ?? 'none') : read.problems[0]?.message;
}

describe('the next page behind a Link header', () => {
  it.each([
    ['</rows?page=2>; rel="next"'],
    ['</rows?page=2>; rel=next'],
    ['</rows?page=2>;REL = next ; title="2"'],
    ['</rows?page=2>; title="Page 2, of 3"; rel="next"'],
    ['</rows?page=2>; rel="last next"'],
    ['</rows?page=2>; rel="next last"'],
    ['</rows?page=0>; rel="prev", </rows?page=2>; rel="next", </rows?page=9>; rel="last"'],
  ])('is that of %s', (link) => {
    expect(nextAfter({}, { link })).toBe('https://register.example/rows?page=2');
  });

  it.each([
    [''],
    ['</rows?page=0>; rel="prev"'],
    ['</rows?page=3>; rel="next-archive"'],
    ['</rows?page=3>; rel=nextish'],
    ['</rows?page=3>; title="next"'],
    ['</a>; rel="prev", </b>; rel="last"'],
  ])('is none for %j', (link) => expect(nextAfter({}, { link })).toBe('none'));
});

it.each<[unknown, string]>([
  ['x', 'https://register.example/rows?page=1&after=x'],
  [7, 'https://register.example/rows?page=1&after=7'],
  ['', 'none'],
  [null, 'none'],
  [undefined, 'none'],
])('the next page of a cursor %j is %s', (next, expected) => {
  expect(nextAfter({ by: 'cursor', param: 'after', at: 'next' }, { document: { rows: [{}], next } })).toBe(
    expected,
  );
});

it.each<[unknown, RegExp]>([
  [2, /offset=1$/],
  ['2', /offset=1$/],
  [true, /does not report the number of all rows/],
  ['2 rows', /does not report the number of all rows/],
  [null, /does not report the number of all rows/],
  [[2], /does not report the number of all rows/],
])('the number of all rows is a number: %j', (total, expected) => {
  expect(
    nextAfter({ by: 'offset', param: 'offset', total: 'total' }, { document: { rows: [{}], total } }),
  ).toMatch(expected);
});
