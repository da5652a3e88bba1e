import { describe, expect, it } from 'vitest';
import type { RegisterRequest } from '../../../src/core/model/register-request.ts';
import { problem } from '../../../src/core/problem/problem.ts';
import { failed } from '../../../src/core/problem/result.ts';
import { readDesired } from '../../../src/input/read-desired.ts';

/** What a table with these keys requests, or what is wrong with it. */
function requested(keys: string): RegisterRequest | string {
  let request: RegisterRequest | undefined;
  const text = `version: 1\ntables: [{ name: asset, key: id, join: host.name, ${keys} }]\nhosts: []\n`;
  const read = readDesired([{ file: 'fleet.yaml', text }], {
    registers(asked) {
      request = asked;
      return failed(problem('table-unreadable', 'not read here'));
    },
  });
  return request ?? read.problems.map(({ message }) => message).join('; ');
}

describe('where a table comes from', () => {
  it.each<[string, string, RegisterRequest]>([
    [
      'a path of one page',
      'source: cmdb, path: a?b=c',
      { source: 'cmdb', path: 'a?b=c', paging: { by: 'none', param: '', size: 0, first: 0 } },
    ],
    [
      'a path with pages',
      'source: cmdb, path: a, rowsAt: x.y, paging: { by: cursor, at: next, sizeParam: n, size: 7 }',
      {
        source: 'cmdb',
        path: 'a',
        rowsAt: 'x.y',
        paging: { by: 'cursor', param: 'cursor', sizeParam: 'n', size: 7, first: 1, at: 'next' },
      },
    ],
    ['a query', 'source: cmdb, query: SELECT id FROM a', { source: 'cmdb', query: 'SELECT id FROM a' }],
  ])('is %s', (_, keys, expected) => {
    expect(requested(keys)).toEqual(expected);
  });

  it.each([
    ['neither a file nor a source', 'limits: { rows: 1 }', /needs a "file" or a "source", and not both/],
    ['both a file and a source', 'file: a.csv, source: cmdb, path: a', /"file" or a "source", and not both/],
    ['a file with a path', 'file: a.csv, path: a', /"path" is for a table with a "source"/],
    ['a file with a query', 'file: a.csv, query: SELECT 1', /"query" is for a table with a "source"/],
    ['a source with nothing to read', 'source: cmdb', /needs a "preset", a "path" or a "query"/],
    ['a query with a path', 'source: cmdb, query: SELECT 1, path: a', /"path" is for a register over HTTP/],
    ['a query with a list of rows', 'source: cmdb, query: SELECT 1, rowsAt: a', /"rowsAt" is for a register/],
    ['a name that is no variable', 'source: CMDB_1, path: a', /a source can't have the name "CMDB_1"/],
    [
      'pages by a cursor that is nowhere',
      'source: cmdb, path: a, paging: { by: cursor }',
      /cursor needs "at"/,
    ],
  ])('is not %s', (_, keys, expected) => {
    expect(requested(keys)).toMatch(expected);
  });
});
