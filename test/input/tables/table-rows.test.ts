import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TableRows } from '../../../src/core/model/asset-table.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { fileTables } from '../../../src/input/tables/file-table.ts';
import { readFleet } from '../../given/register.ts';

function read(file: string, text: string | Uint8Array, rowsAt?: string) {
  const origin = { kind: 'file', path: file, ...(rowsAt === undefined ? {} : { rowsAt }) } as const;
  return fileTables((path) => ok({ file: path, text }))(origin, 'fleet.yaml');
}

function rowsOf(file: string, text: string, rowsAt?: string): TableRows {
  const content = read(file, text, rowsAt);
  if (!content.ok) throw new Error(content.problems[0]?.message);
  return content.value.rows;
}

function refusal(file: string, text: string | Uint8Array, rowsAt?: string): string {
  const content = read(file, text, rowsAt);
  if (content.ok) return 'it was read';
  const [{ code, message, place } = { code: '', message: '' }] = content.problems;
  return `${code} at ${place?.line}: ${message}`;
}

function cellsOf(rows: TableRows) {
  return Array.from({ length: rows.count }, (_, row) =>
    rows.columns.map((column) => rows.cellAt(row, column)),
  );
}

describe('the rows of a CSV file', () => {
  it.each([
    ['commas', 'Serial,Name\n1,a\n2,b\n'],
    ['semicolons', 'Serial;Name\n1;a\n2;b'],
    ['tabs and line breaks of Windows', 'Serial\tName\r\n1\ta\r\n2\tb\r\n'],
    ['quotation marks', '"Serial","Name"\n"1","a"\n2,"b"\n'],
    ['spaces around cells, and blank lines', '\nSerial , Name\n 1 , a\n\n , \n2,b\n'],
    ['a byte order mark', '\ufeffSerial,Name\n1,a\n2,b\n'],
    ['a line break in a cell', 'Serial,Name,"No\nte"\n1,a,\n2,b,\n'],
  ])('are read with %s', (_, text) => {
    const rows = rowsOf('assets.csv', text);
    expect([0, 1].map((row) => [rows.cellAt(row, 'Serial'), rows.cellAt(row, 'Name')])).toEqual([
      ['1', 'a'],
      ['2', 'b'],
    ]);
    expect(rows.count).toBe(2);
  });

  it('have their positions', () => {
    const rows = rowsOf('assets.csv', 'Serial,Name\n\n1,"a"\n');
    expect(rows.positionOf(0, 'Name')).toEqual({ file: 'assets.csv', line: 3, col: 3 });
    const excel = rowsOf('assets.csv', 'sep=;\r\nSerial;Name\r\n1;"a"\r\n');
    expect(excel.columns).toEqual(['Serial', 'Name']);
    expect(excel.positionOf(0, 'Name')).toEqual({ file: 'assets.csv', line: 3, col: 3 });
  });

  it.each([
    ['is cut off in a row', 'Serial,Name,Site\n1,a,b\n2,c', /^csv-syntax at 3: the row has 2 cells/],
    [
      'is cut off in quotation marks',
      'Serial,Name\n1,"a',
      /^csv-syntax at 2: a quotation mark is never closed/,
    ],
    ['has a cell too many', 'Serial,Name\n1,a,b', /^csv-syntax at 2: there is no column/],
    ['has the error of a formula', 'Serial,Name\n1,#REF!', /^csv-syntax at 2: a spreadsheet formula failed/],
    ['has a column twice', 'Serial,Serial\n1,2', /^duplicate-key at 1: the column "Serial" appears twice/],
    ['is empty', '\n\n', /^file-empty at 1/],
    ['is UTF-16', Uint8Array.from([0xff, 0xfe, 0x41, 0]), /^file-not-text at 1/],
    ['is Latin-1', Uint8Array.from([0x41, 0x0a, 0xfc]), /^file-not-text at 2/],
  ])('are refused if the file %s', (_, text, message) => {
    expect(refusal('assets.csv', text)).toMatch(message);
  });

  it.each([
    ['one line for each row', 'Serial,,Name\n1,,a\n'],
    ['a line break in a cell', 'Serial,,Name,"No\nte"\n1,x,a,\n'],
  ])('have columns without a name in a table with %s, which are not read', (_, text) => {
    const rows = rowsOf('assets.csv', text);
    expect(rows.columns.slice(0, 2)).toEqual(['Serial', 'Name']);
    expect([rows.columns.includes(''), rows.cellAt(0, 'Other'), rows.cellAt(0, 'Serial')]).toEqual([
      false,
      undefined,
      '1',
    ]);
    expect(rows.positionOf(0, 'Name').col).toBeGreaterThan(rows.positionOf(0, 'Serial').col);
    expect(rows.positionOf(0, 'Other')).toMatchObject({ file: 'assets.csv', col: 1 });
    expect(rows.positionOf(0)).toMatchObject({ file: 'assets.csv', col: 1 });
  });

  it('may have empty cells beyond their columns', () => {
    expect(cellsOf(rowsOf('assets.csv', 'Serial,Note\n1,,,\n'))).toEqual([['1', undefined]]);
  });

  it('with two unnamed columns do not have the same column twice', () => {
    expect(rowsOf('assets.csv', 'Serial,,\n1,2,3\n').columns).toEqual(['Serial']);
    expect(refusal('assets.csv', '"",""\n,')).toMatch(/^file-empty at 1/);
  });

  it.each([
    ['assets.CSV', 'Serial\n1'],
    ['assets.JSON', '[{"Serial": 1}]'],
    ['assets.NDJSON', '{"Serial": 1}'],
    ['assets.jsonl', '{"Serial": 1}'],
  ])('are those of %s', (file, text) => {
    expect(cellsOf(rowsOf(file, text))).toEqual([['1']]);
  });

  it('of JSON may be one very long line', () => {
    expect(rowsOf('assets.ndjson', `{"Serial": "${'x'.repeat(1_100_000)}"}`).count).toBe(1);
    const rows = rowsOf('assets.json', `[{"Serial": "1", "Note": "${'x'.repeat(1_100_000)}"}]`);
    expect(rows.cellAt(0, 'Serial')).toBe('1');
    expect(refusal('assets.csv', `Serial\n${'x'.repeat(1_100_000)}`)).toMatch(
      /^csv-syntax at 2: a line of more/,
    );
  });

  it('never quote the line of a register in a problem', () => {
    const content = read('assets.csv', 'Serial,Owner\n1,Erika Mustermann,x\n2,"Max');
    expect(JSON.stringify(content)).not.toMatch(/Mustermann|Max/);
  });
});

/** The object at the start of a text. */
function firstObject(text: string): string {
  for (let end = text.indexOf('}'); end !== -1; end = text.indexOf('}', end + 1)) {
    try {
      return JSON.stringify(JSON.parse(text.slice(0, end + 1)));
    } catch {
      // The object is longer.
    }
  }
  throw new Error('no object begins here');
}

describe('the rows of JSON', () => {
  const items =
    '[{"serial": "1", "n": 2, "status": {"name": "in use"}, "tags": ["a", "b"]},\n {"serial": null}]';

  it.each([
    ['a list', items, undefined],
    ['a list below keys', `{"x": [1], "data": {"items": ${items}}}`, 'data.items'],
  ])('are read from %s, with nested columns', (_, text, rowsAt) => {
    const rows = rowsOf('assets.json', text, rowsAt);
    expect(rows.columns).toEqual(['serial', 'n', 'status', 'status.name', 'tags']);
    expect(cellsOf(rows)).toEqual([
      ['1', '2', undefined, 'in use', 'a, b'],
      [undefined, undefined, undefined, undefined, undefined],
    ]);
    expect(rows.positionOf(1).line).toBe(2);
  });

  it('are read from lines, with exact integers', () => {
    const rows = rowsOf('assets.ndjson', '{"serial": 9007199254740993}\n\n{"serial": "b"}\n');
    expect(cellsOf(rows)).toEqual([['9007199254740993'], ['b']]);
    expect(rows.positionOf(1).line).toBe(3);
  });

  it.each([
    ['a text', '"a"', 'a'],
    ['a text with white space', '" a "', 'a'],
    ['white space', '"  "', undefined],
    ['an empty text', '""', undefined],
    ['true', 'true', 'true'],
    ['false', 'false', 'false'],
    ['zero', '0', '0'],
    ['a fraction', '1.50', '1.5'],
    ['an integer beyond 2^53', '9007199254740993', '9007199254740993'],
    ['a number that is too large', '1e999', undefined],
    ['null', 'null', undefined],
    ['an object', '{"a": 1}', undefined],
    ['an empty list', '[]', undefined],
    ['a list of nothing', '["", null, {"a": 1}, [1]]', undefined],
    ['a list of texts', '[" a", 1, true]', 'a, 1, true'],
  ])('have as a cell %s', (_, json, expected) => {
    expect(rowsOf('assets.json', `[{"Serial": ${json}}]`).cellAt(0, 'Serial')).toBe(expected);
  });

  it('have columns of nested objects, up to four names deep, and names with points', () => {
    const rows = rowsOf('assets.json', '[{"a": {"b": {"c": {"d": {"e": 1}}}}, "a.x": 2, "l": [{"k": 1}]}]');
    expect(rows.columns).toEqual(['a', 'a.b', 'a.b.c', 'a.b.c.d', 'a.x', 'l']);
    expect(
      ['a.x', 'a.b.c.d', 'l.k', 'toString', 'a.toString.name'].map((each) => rows.cellAt(0, each)),
    ).toEqual(['2', undefined, undefined, undefined, undefined]);
  });

  it('are found wherever their list is, with the position of each row', () => {
    const key = fc.constantFrom('data', 'items', 'a"b', 'x\\y');
    const other = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(
        fc.array(other, { maxLength: 4 }),
        key,
        key,
        other,
        fc.constantFrom(0, 1),
        (items, a, b, noise, gap) => {
          const list = items.map((each) => ({ serial: each, data: { items: [1, 2] } }));
          const document = { first: noise, [a]: { other: [noise, [1]], [b]: list, last: [[], {}] } };
          const text = JSON.stringify(document, null, gap);
          const rows = rowsOf('assets.json', text, `${a}.${b}`);
          const lines = text.split('\n');
          for (const [row, item] of list.entries()) {
            const { line, col } = rows.positionOf(row);
            const rest = [lines[line - 1]?.slice(col - 1), ...lines.slice(line)].join('\n');
            expect(JSON.stringify(JSON.parse(firstObject(rest)))).toBe(JSON.stringify(item));
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('are read up to the last one, with blank lines between them', () => {
    const rows = rowsOf('assets.ndjson', '\n{"a": 1}\n   \n\r\n{"a": 2}');
    expect([cellsOf(rows), rows.positionOf(0).line, rows.positionOf(1)]).toEqual([
      [['1'], ['2']],
      2,
      { file: 'assets.ndjson', line: 5, col: 1 },
    ]);
    expect(rowsOf('assets.ndjson', '').count).toBe(0);
  });

  it('are refused at the place of the fault, with a hint', () => {
    const faults = [
      read('assets.json', '{"items": 1}'),
      read('assets.json', '[{"a": 1,\n "a": 2}]'),
      read('assets.ndjson', '{"a": 1}\n{"b": 1, "b": 2}'),
    ].flatMap(({ problems }) =>
      problems.map(({ message, place, hint }) => [message, place?.line, place?.col, hint]),
    );
    expect(faults).toEqual([
      ['the document is not a list of rows', 1, 1, 'set "rowsAt" to the key of the list, such as data.items'],
      ['a key appears twice, or the rows are nested too deeply', 2, 2, undefined],
      ['a key appears twice, or the rows are nested too deeply', 2, 10, undefined],
    ]);
  });

  it.each([
    ['assets.json', '[{"serial": "1"}', undefined, /^table-unreadable at 1: this is not JSON/],
    ['assets.json', '{"items": {}}', 'items', /^table-unreadable at 1: "items" is not a list/],
    ['assets.json', '[{"serial": "1"},\n 2]', undefined, /^table-unreadable at 2: this row is not an object/],
    ['assets.json', '[{"serial": "1", "serial": "2"}]', undefined, /a key appears twice/],
    ['assets.ndjson', '{"serial": "1"}\n{"serial"', undefined, /^table-unreadable at 2: this is not JSON/],
    ['assets.json', '[{"__proto__": {"serial": "1"}}]', undefined, /it was read/],
  ])('of %s %s are checked', (file, text, rowsAt, message) => {
    expect(refusal(file, text, rowsAt)).toMatch(message);
  });
});

describe('the declaration of a table', () => {
  it('without limits allows a tenth of the rows to be lost, and no table without rows', () => {
    const text = 'tables: [{ name: asset, file: a.csv, key: Serial, join: host.name }]\nhosts: []';
    const read = readFleet(text, { 'a.csv': 'Serial\n1\n' });
    expect(read.ok && read.value.tables?.[0]?.limits).toEqual({
      shrink: { kind: 'share', percent: 10 },
      rows: 1,
    });
  });

  const declared = (keys: string) => {
    const read = readFleet(`tables:\n  - ${keys}\nhosts: []`, {
      'a.csv': 'Serial,Price,Bought\n1,x,2026-13-01\n',
    });
    return read.ok
      ? 'it was read'
      : read.problems.map(({ code, message }) => `${code}: ${message}`).join('\n');
  };
  const join = 'join: host.name';

  it.each([
    [`{ name: asset, file: a.csv, key: Serial, ${join} }`, /^it was read$/],
    [`{ file: a.csv, key: Serial, ${join} }`, /missing-key: a table needs "name"/],
    [
      `{ name: host, file: a.csv, key: Serial, ${join} }`,
      /invalid-value: a table can't have the name "host"/,
    ],
    [`{ name: my table, file: a.csv, key: Serial, ${join} }`, /a table can't have the name "my table"/],
    [
      `{ name: asset, file: b.csv, key: Serial, ${join} }`,
      /file-missing: table "asset": b.csv does not exist/,
    ],
    [`{ name: asset, file: a.csv, key: Serial, join: host.online }`, /the value must be a string or an int/],
    [
      `{ name: asset, file: a.csv, key: Serial, ${join}, columns: [{ name: Price, type: int }] }`,
      /^table-unreadable: table "asset": a cell of the column "Price" is not of the type int$/,
    ],
    [
      `{ name: asset, file: a.csv, key: Serial, ${join}, columns: [{ name: Bought, type: date }] }`,
      /"Bought" is not of the type date/,
    ],
    [`{ name: asset, file: a.csv, key: Serial, ${join}, limits: { age: 7 days } }`, /must be a duration/],
    [
      `{ name: asset, file: a.csv, key: Serial, ${join}, limits: { shrink: 5%, rows: 1, age: 7d } }`,
      /^it was read$/,
    ],
  ])('%s', (keys, message) => {
    expect(declared(keys)).toMatch(message);
  });
});
