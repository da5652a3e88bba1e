import { describe, expect, it } from 'vitest';
import type { RegisterRequest } from '../../../src/core/model/register-request.ts';
import { failed, problem } from '../../../src/core/problem/problem.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { registerPresets } from '../../../src/input/schema/register-presets.ts';

/** The request of a table with these keys, or its problems. */
function requested(keys: string): RegisterRequest | string {
  let request: RegisterRequest | undefined;
  const text = `version: 1\ntables: [{ name: asset, key: id, join: host.name, ${keys} }]\nhosts: []\n`;
  const read = readDesired([{ file: 'fleet.yaml', text }], {
    registers(asked) {
      request = asked;
      return failed(problem('table-unreadable', 'not read here'));
    },
  });
  return request ?? read.problems.map(({ code, message }) => `${code}: ${message}`).join('; ');
}

/** What is wrong with a table, with its code and its place in the line of the table. */
function wrong(item: string): string {
  const text = `version: 1\ntables: [${item}]\nhosts: []\n`;
  const read = readDesired([{ file: 'fleet.yaml', text }], {
    registers: () => failed(problem('table-unreadable', 'not read here')),
  });
  return read.problems.map(({ code, message, place }) => `${code} at ${place?.col}: ${message}`).join('; ');
}

const snipe = registerPresets['snipe-it'];

describe('the origin of a table', () => {
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
    ['that of a preset', 'source: cmdb, preset: snipe-it', { source: 'cmdb', ...snipe }],
    [
      'that of a preset with a path, rows and pages of its own',
      'source: cmdb, preset: snipe-it, path: b, rowsAt: items, paging: { by: page, param: p, first: 0, total: n }',
      {
        source: 'cmdb',
        path: 'b',
        rowsAt: 'items',
        paging: { by: 'page', param: 'p', size: 100, first: 0, total: 'n' },
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
    [
      'a name that is no variable',
      'source: CMDB_1, path: a',
      /^invalid-value: a source can't have the name "CMDB_1"$/,
    ],
    [
      'pages by a cursor that is nowhere',
      'source: cmdb, path: a, paging: { by: cursor }',
      /^missing-key: paging by cursor needs "at"$/,
    ],
    [
      'pages by an address that is nowhere',
      'source: cmdb, path: a, paging: { by: next }',
      /^missing-key: paging by next needs "at"$/,
    ],
    ['pages of no kind', 'source: cmdb, path: a, paging: { size: 5 }', /^missing-key: .*"by"/],
    ['pages of another kind', 'source: cmdb, path: a, paging: { by: luck }', /^invalid-value: [^;]*by[^;]*$/],
    ['pages that are a word', 'source: cmdb, path: a, paging: offset', /^[^;]*paging[^;]*$/],
    [
      'a file and all that is of a source',
      'file: a.csv, paging: { by: page }, path: a, preset: jamf',
      /: "preset"/,
    ],
    ['a file with pages', 'file: a.csv, paging: { by: page }, path: a', /^invalid-value: "path"/],
    ['a query with a preset', 'source: cmdb, query: SELECT 1, preset: jamf', /^invalid-value: "preset"/],
    ['a file that is a list', 'file: [a.csv]', /^[^;]*the path of a table[^;]*$/],
    ['a source that is a list', 'source: [cmdb], path: a', /^[^;]*the name of a source[^;]*$/],
    ['a query that is a list', 'source: cmdb, query: [1]', /^[^;]*a query[^;]*$/],
  ])('is not %s', (_, keys, expected) => {
    expect(requested(keys)).toMatch(expected);
  });

  it.each([
    [
      '{ name: asset, key: id, join: host.name, source: cmdb, path: a }',
      /^table-unreadable at 59: table "asset": not read here$/,
    ],
    ['{ name: asset, join: host.name, source: cmdb, path: a }', /^missing-key at \d+: a table needs "key"$/],
    ['{ name: asset, key: id, source: cmdb, path: a }', /^missing-key at \d+: a table needs "join"$/],
    [
      '{ name: asset, key: id, join: host.name }',
      /^missing-key at \d+: a table needs a "file" or a "source"/,
    ],
    [
      '{ name: asset, key: id, join: host.name, source: cmdb }',
      /^missing-key at \d+: .*"preset", a "path" or/,
    ],
    ['asset', /^[^;]* at 10: [^;]*$/],
    [
      '{ name: asset, key: id, join: host.name, source: cmdb, path: a, columns: [Price] }',
      /^[^;]*; wrong-type at \d+: a column must be a mapping, not text$/,
    ],
    [
      '{ name: asset, key: id, join: host.name, source: cmdb, path: a, columns: [{ name: Price }] }',
      /^[^;]*; missing-key at \d+: a column needs "type"$/,
    ],
    [
      '{ name: asset, key: id, join: host.name, source: cmdb, path: a, columns: [{ type: int }] }',
      /^[^;]*; missing-key at \d+: a column needs "name"$/,
    ],
    [
      '{ name: asset, key: id, join: host.name, source: cmdb, path: a, limits: 5 }',
      /^[^;]*; wrong-type at \d+: "limits" of a table must be a mapping, not a number$/,
    ],
  ])('of %s is refused', (item, expected) => {
    expect(wrong(item)).toMatch(expected);
  });

  it.each(['true', 'host', 'for', '1a', 'a-b', 'a b', ''])('has no table with the name "%s"', (name) => {
    expect(wrong(`{ name: "${name}", key: id, join: host.name, source: cmdb, path: a }`)).toMatch(/name/);
  });
});
