import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Desired } from '../../../src/core/model/desired.ts';
import { ok } from '../../../src/core/problem/problem.ts';
import { splitCsv } from '../../../src/input/csv/split-csv.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { sourceText } from '../../../src/input/sources/source-text.ts';
import { casesOf } from '../../given/cases.ts';

function read(tables: Readonly<Record<string, string>>, yaml: string) {
  return readDesired([{ file: 'fleet.yaml', text: yaml }], {
    openTable: (path) => ok({ file: path, text: tables[path] as string }),
  });
}

function desired(text: string): Desired {
  const result = read({ 'hosts.csv': text }, 'version: 1\nhostsFrom: hosts.csv\n');
  if (!result.ok) throw new Error(result.problems.map((each) => each.message).join('\n'));
  return result.value;
}

const entries = (state: Desired) => Array.from({ length: state.count }, (_, index) => state.at(index));

describe('a table', () => {
  test('describes hosts exactly as a list in YAML does', () => {
    const state = desired(
      [
        'id,name,current,previously,group,groupId,antivirus,ensure,deleteAfter',
        '9007199254740993,BER-WEB-01,DESKTOP-1,,Berlin Servers,,installed,present,',
        ',BER-WEB-02,,OLD-1 | OLD-2,(none),,,,',
        '7,,,,,17,,,',
        '8,,GONE,,,,,absent,2027-01-31T00:00:00Z',
      ].join('\n'),
    );
    expect(entries(state)).toEqual([
      {
        index: 0,
        id: '9007199254740993',
        name: 'BER-WEB-01',
        current: 'DESKTOP-1',
        previously: [],
        group: { kind: 'named', name: 'Berlin Servers' },
        antivirus: true,
        ensure: 'present',
      },
      {
        index: 1,
        name: 'BER-WEB-02',
        previously: ['OLD-1', 'OLD-2'],
        group: { kind: 'ungrouped' },
        antivirus: false,
        ensure: 'present',
      },
      {
        index: 2,
        id: '7',
        previously: [],
        group: { kind: 'id', id: '17' },
        antivirus: false,
        ensure: 'present',
      },
      {
        index: 3,
        id: '8',
        current: 'GONE',
        previously: [],
        antivirus: false,
        ensure: 'absent',
        deleteAfter: '2027-01-31T00:00:00Z',
      },
    ]);
    expect(state.files).toEqual(['fleet.yaml', 'hosts.csv']);
    expect(state.placeOf(1, 'group')).toEqual({
      file: 'hosts.csv',
      line: 3,
      col: 28,
      width: 6,
      text: ',BER-WEB-02,,OLD-1 | OLD-2,(none),,,,',
      part: 'row 3, column "group"',
    });
  });

  test.each([
    ['semicolons', 'id;name\n17;A\n'],
    ['tabs', 'id\tname\n17\tA\n'],
    ['a byte order mark', '\ufeffid,name\n17,A\n'],
    ['Windows line ends', 'id,name\r\n17,A\r\n'],
    ['the line ends of old Macs', 'id,name\r17,A\r'],
    ['no line end at the end', 'id,name\n17,A'],
    ['columns in any order', 'name,id\nA,17\n'],
    ['column names in any letter case', 'ID,Name\n17,A\n'],
    ['quotation marks', '"id","name"\n"17","A"\n'],
    ['blanks around its cells', 'id , name\n 17 , A\n'],
    ['blank rows', '\nid,name\n,\n\n17,A\n , \n'],
    ['the line in which Excel finds the separator', 'sep=;\r\nid;name\r\n17;A\r\n'],
    ['that line, and a header with more of another one', 'sep=;\nid;name;#a, b, c, d\n17;A;\n'],
    ['that line behind a byte order mark', '\ufeffSEP=,\nid,name\n17,A\n'],
    ['more of another separator in quotation marks in its header', 'id;name;"#a, b, c, d"\n17;A;\n'],
    ['line breaks in quotation marks in its header', '"id";"name";"#a,\n, b, ""c"", d"\n17;A;\n'],
    ['columns of notes', 'id,#why,name\n17,moved,A\n'],
    ['columns without a name that are empty', 'id,name,,\n17,A,,\n'],
    ['more empty cells than columns', 'id,name\n17,A,,\n'],
  ])('may have %s', (_, text) => {
    expect(entries(desired(text))).toEqual([
      { index: 0, id: '17', name: 'A', previously: [], antivirus: false, ensure: 'present' },
    ]);
  });

  test('may have separators, quotation marks and line breaks in its cells', () => {
    expect(desired('name,group\nA,"Berlin, 19"" rack"\n').at(0).group).toEqual({
      kind: 'named',
      name: 'Berlin, 19" rack',
    });
    const broken = read({ t: 'name,group\nA,"Berlin\nMitte"\nB,Lisbon\n' }, 'version: 1\nhostsFrom: t\n');
    expect(broken.ok && broken.value.at(0).group).toEqual({ kind: 'named', name: 'Berlin\nMitte' });
    expect(broken.ok && broken.value.placeOf(1)).toMatchObject({ line: 4, part: 'row 3, column "name"' });
  });

  test('finds a host without an id by its current name', () => {
    expect(desired('current,name\nOLD,NEW\n').at(0)).toMatchObject({ current: 'OLD', previously: ['OLD'] });
  });

  test('with a column "current" has no warning about round ids', () => {
    const result = read({ t: 'id,current\n1234567890123450,A\n' }, 'version: 1\nhostsFrom: t\n');
    expect(result).toMatchObject({ ok: true, problems: [] });
  });

  test('stops at a thousand mistakes', () => {
    const result = read({ t: `id\n${'x\n'.repeat(30_000)}` }, 'version: 1\nhostsFrom: t\n');
    expect(result.problems).toHaveLength(1_000);
  });
});

describe('hostsFrom', () => {
  test('lists several tables, whose hosts follow those of the file', () => {
    const result = read(
      { 'a.csv': 'id\n2\n3\n', 'b.csv': 'id\n4\n' },
      'version: 1\nhosts: [{ id: 1 }]\nhostsFrom: [a.csv, b.csv]\n',
    );
    expect(result.ok && entries(result.value).map(({ index, id }) => `${index} ${id}`)).toEqual([
      '0 1',
      '1 2',
      '2 3',
      '3 4',
    ]);
    expect(result.ok && result.value.files).toEqual(['fleet.yaml', 'a.csv', 'b.csv']);
  });

  test('reports hosts that claim one host as one problem with both places', () => {
    const result = read({ t: 'id\n17\n' }, 'version: 1\nhosts: [{ id: 17 }]\nhostsFrom: t\n');
    expect(result.problems).toMatchObject([
      { code: 'duplicate-host', place: { file: 't', line: 2 }, related: [{ file: 'fleet.yaml', line: 2 }] },
    ]);
  });

  test.each([
    ['a table twice', '[t, t]', 'duplicate-key', 3],
    ['a number', '5', 'wrong-type', 3],
    ['nothing', '', 'wrong-type', 3],
    ['a mapping', '{ file: t }', 'wrong-type', 3],
  ])("can't name %s", (_, value, code) => {
    const result = read({ t: 'id\n17\n' }, `version: 1\n\nhostsFrom: ${value}\n`);
    expect(result.ok).toBe(false);
    expect(result.problems).toMatchObject([{ code, place: { file: 'fleet.yaml', line: 3 } }]);
  });

  test('needs a function that opens the tables', () => {
    const result = readDesired([{ file: 'f.yaml', text: 'version: 1\nhostsFrom: t.csv\n' }]);
    expect(result.problems).toMatchObject([{ code: 'usage', place: { file: 'f.yaml', line: 2, col: 12 } }]);
  });
});

test('any text at all is either a table or problems with a place', () => {
  const words = ['id', 'name', 'group', 'ensure', 'current', '17', 'A', '(none)', 'absent', '1E5', 'é'];
  const marks = [',', ';', '\t', '"', '""', '\n', '\r\n', '|', ' ', '#', '\u202e', '\0', '\ud800', '\ufeff'];
  const fragment = fc.constantFrom(...words, ...marks);
  const soup = fc.array(fc.oneof(fragment, fc.string()), { maxLength: 30 }).map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.constantFrom('', 'id,name\n', 'id;name;group\n'), soup, (header, text) => {
      const result = read({ t: header + text }, 'version: 1\nhostsFrom: t\n');
      for (const each of result.problems) expect(each.place?.file).toBe('t');
      expect(result.ok || result.problems.length > 0).toBe(true);
    }),
    casesOf(500),
  );
});

test('the place of a cell contains exactly the cell, for any table', () => {
  const cell = fc.oneof(
    fc.constantFrom('', 'a', ' b ', 'ü', '🙂', 'x"y', 'l1\nl2', 'l1\r\nl2', ',', ';', '""'),
    fc.string({ unit: 'grapheme' }),
  );
  const row = fc.array(cell, { minLength: 2, maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      (rows, lineEnd) => {
        const quote = (text: string) =>
          /[",;\t\r\n]/.test(text) || text.trim() !== text ? `"${text.replaceAll('"', '""')}"` : text;
        const text = `id,name${lineEnd}${rows.map((each) => each.map(quote).join(',')).join(lineEnd)}`;
        const split = splitCsv(sourceText('t.csv', text));
        if (!split.ok) throw new Error(split.problems[0]?.message ?? '');
        const expected = rows.filter((each) => each.some((cellText) => cellText !== ''));
        expect(split.value.slice(1).map((each) => each.cells.map((found) => found.text))).toEqual(expected);
        for (const found of split.value.flatMap((each) => each.cells)) {
          const raw = text.slice(found.start, found.end);
          expect(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw).toBe(found.text);
        }
      },
    ),
    casesOf(500),
  );
});
