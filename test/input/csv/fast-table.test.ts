import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readFastTable, readFullTable } from '../../../src/input/csv/fast-table.ts';
import type { PlacedEntries } from '../../../src/input/entries/placed-entries.ts';
import { sourceText } from '../../../src/input/sources/source-text.ts';
import { createProblemList } from '../../../src/input/values/problem-list.ts';
import { casesOf } from '../../given/cases.ts';
import { changed, changesWith } from '../../given/edited-text.ts';
import { malformedTables } from './malformed-tables.ts';
import { readBothWays } from './same-reading.ts';

type Table = readonly [title: string, reader: 'fast' | 'full', text: string];

/** `full`: the fast reader leaves them to the full one, because they are rare or wrong. */
const tables: readonly Table[] = [
  ['ids and names', 'fast', 'id,name\n17,A\n18,B\n'],
  [
    'all columns',
    'fast',
    'id,name,current,previously,group,groupId,antivirus,ensure,deleteAfter\n9007199254740993,A,B,C | D,Berlin,,installed,present,\n,E,,F,(none),,,,\n7,,,,,17,,,\n8,,G,,,,,absent,2027-01-31T00:00:00Z\n',
  ],
  [
    'ids of 19 digits in quotation marks',
    'fast',
    'id,name\n"9223372036854775807","A"\n"9223372036854775799",B\n',
  ],
  ['a row over lines that looks like plain rows', 'full', 'id,name\n1,"A\n2,B\n3,C"\n4,D\n'],
  ['semicolons', 'fast', 'id;name;group\n17;A;Berlin, Mitte\n'],
  ['tabs', 'fast', 'id\tname\n17\tA B\n'],
  ['Windows line ends', 'fast', 'id,name\r\n17,A\r\n\r\n18,B\r\n'],
  ['both line ends', 'fast', 'id,name\r\n17,A\n18,B\r\n'],
  ['Windows line ends, and none at the end', 'fast', 'id,name\r\n17,A'],
  ['no line end at the end', 'fast', 'id,name\n17,A'],
  ['an empty cell at the very end', 'fast', 'name,id\nA,'],
  ['a carriage return at the very end', 'full', 'id,name\n17,A\r'],
  ['the line ends of old Macs', 'full', 'id,name\r17,A\r'],
  ['column names in any letter case', 'fast', 'ID,Name\n17,A\n'],
  ['quotation marks', 'fast', '"id","name"\r\n"17","A"\r\n"18","B"'],
  ['doubled quotation marks', 'fast', 'id,group\n17,"19"" rack"\n18,""""\n'],
  ['a separator in quotation marks', 'fast', 'id,group\n17,"Berlin, Mitte"\n'],
  ['empty quotation marks', 'fast', 'id,name\n17,""\n'],
  ['blank rows', 'fast', '\nid,name\n,\n\n17,A\n"",\n , \n18,B\n\n'],
  ['blanks around cells', 'fast', 'id , name\n 17 ,  A B \n'],
  ['blanks of other kinds around cells', 'fast', 'id,group\n17\u00a0,\u3000Berlin\u2003\n\t18,\vMitte\f\n'],
  ['columns of notes', 'fast', 'id,#why,name\n17,#REF!,A\n18," ",B\n'],
  ['columns without a name', 'fast', 'id,name,,\n17,A,,x\n'],
  ['more empty cells than columns', 'fast', 'id,name\n17,A,, ,""\n'],
  ['characters beyond ASCII', 'fast', 'id,name,group\n17,Zürich-01,Größe\n18,東京🗼,グループ\n'],
  [
    'plain rows behind characters of two units',
    'fast',
    'id,name,group\n17,東京🗼,A\n18,B,C\n19,D🗼,E\n20,F,A\n',
  ],
  ['names that begin with a number sign', 'fast', 'id,name\n17,#1\n18,"#2"\n'],
  ['group names that mean something in YAML', 'fast', 'id,group\n17,null\n18,~\n19,5\n20,"(none)"\n'],
  ['present names without ids', 'fast', 'current,name,previously\nA,B,A|C\nD,E,\n'],
  ['temporary names as present ones', 'fast', 'id,name,current\n17,A,A ~rampart~3f9a1c\n'],
  ['odd names of hosts that are to go', 'fast', 'name,ensure\n"A ",absent\nB\u200b,absent\n'],
  ['ids that a spreadsheet may have rounded', 'fast', 'id,name\n1234567890123450,A\n1234567890123451,B\n'],
  ['such ids with present names', 'fast', 'id,current\n1234567890123450,A\n1234567890123460,\n'],
  ['ids at both ends of 64 bits', 'fast', 'id\n9223372036854775807\n-9223372036854775808\n-1\n0\n'],
  ['ids beyond 64 bits', 'full', 'id\n9223372036854775808\n'],
  ['ids below 64 bits', 'full', 'id\n-9223372036854775809\n'],
  ['an id with zeros before it', 'full', 'id\n017\n'],
  ['a minus before zero', 'full', 'id\n-0\n'],
  ['a blank in an id in quotation marks', 'full', 'id\n" 17"\n'],
  ['a line break in a cell', 'full', 'name,group\nA,"Berlin\nMitte"\n'],
  ['a Windows line break in a cell', 'full', 'name,group\r\nA,"Berlin\r\nMitte"\r\n'],
  ['a carriage return in a cell', 'full', 'name,group\nA,"Berlin\rMitte"\n'],
  ['a line break in a name of a column', 'full', 'id,"#no\ntes",name\n17,x,A\n'],
  ['blanks in quotation marks', 'full', 'id,name\n17," "\n'],
  ['a blank before a name in quotation marks', 'fast', 'id,name\n17," A"\n'],
  ['a tab in a name', 'fast', 'id,name\n17,A\tB\n'],
  ['an escape in a name', 'fast', 'id,name\n17,A\u001bB\n'],
  ['a lone surrogate', 'full', 'id,name\n17,A\ud800\n'],
  ['no rows', 'fast', 'id,name\n'],
  ['nothing', 'full', ''],
  ['blank lines alone', 'full', '\n\n'],
  ['a blank before a quotation mark', 'full', 'id,name\n17, "A"\n'],
  ['a blank behind a quotation mark', 'full', 'id,name\n17,"A" \n'],
  ['a blank behind empty quotation marks, and an empty cell', 'full', 'id,name\n"" , \n18,B\n'],
  ['a quotation mark that is never closed', 'full', 'id,name\n17,"A\n'],
  ['doubled marks that never close', 'full', 'id,name\n17,"A""'],
  ['one quotation mark', 'full', 'id,name\n17,"'],
  ['a name before itself', 'fast', 'name,previously\nA,B|A\n'],
  ['a previous name twice', 'fast', 'name,previously\nA,B|B\n'],
  ['an empty previous name', 'full', 'name,previously\nA,B|\n'],
  ['a time without antecedent', 'full', 'id,deleteAfter\n17,2027-01-31T00:00:00Z\n'],
  ['a group that is no number', 'full', 'id,groupId\n17,Berlin\n'],
  ['a row that decides the separator', 'fast', '    ;\r\nid;name;#a, b, c\r\n17;A;\r\n18;"B;c";\r\n'],
  ['a row of another separator', 'full', ';\nid,name\n17,A\n'],
  ['empty rows before the header', 'fast', '"",""\n\n , \nid,name\n17,A\n18,"B"\n'],
];

describe('the fast reader reads a table like the full one, or leaves it to the full one', () => {
  test.each(tables)('%s: %s', (_, reader, text) => {
    expect(readBothWays(text)).toBe(reader);
  });

  test('every malformed table, and leaves tables without valid rows to it', () => {
    const texts = Object.entries(malformedTables).filter(([, text]) => typeof text === 'string');
    const read = texts.filter(([, text]) => readBothWays(text as string) === 'fast');
    expect(read.map(([name]) => name)).toEqual(
      'claimed-twice nul-inside traded-names warn-blanks-and-unseen warn-rounded-id'.split(' '),
    );
  });

  test('at most as many warnings as a list holds', () => {
    const ids = Array.from(
      { length: 1_200 },
      (_, index) => `${1_234_567_890_123_450n + BigInt(index) * 10n}`,
    );
    expect(readBothWays(`id\n${ids.join('\n')}\n`)).toBe('fast');
  });

  test('every character beyond ASCII at the start, in the middle and at the end of names', () => {
    const lineBreaks = ['\u0085', '\u2028', '\u2029'];
    const rows = Array.from({ length: 0x20000 - 0x80 }, (_, index) => String.fromCodePoint(0x80 + index))
      .filter((each) => each.isWellFormed() && !lineBreaks.includes(each))
      .map((each) => `${each}a${each}b${each}\n`);
    const source = sourceText('t.csv', `name\n${rows.join('')}`);
    const problems = { fast: createProblemList(), full: createProblemList() };
    const fast = readFastTable(source, problems.fast, 0);
    const full = readFullTable(source, problems.full, 0);
    expect(problems.full.isFull()).toBe(false);
    expect(problems.fast.all()).toEqual(problems.full.all());
    expect(namesOf(fast)).toEqual(namesOf(full));
    expect(fast?.nameHashes()).toEqual(full.nameHashes());
  });

  test('tables of random cells', () => {
    let read = 0;
    fc.assert(
      fc.property(madeTables, (text) => {
        if (readBothWays(text) === 'fast') read += 1;
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(30);
  });

  test('tables with random edits', () => {
    fc.assert(
      fc.property(fc.constantFrom(...tables), fc.array(edits, { maxLength: 4 }), ([, , text], changes) => {
        readBothWays(changes.reduce(changed, text));
      }),
      casesOf(1_000),
    );
  });
});

test.each([
  ['a cell', `id,name\n17,${'x'.repeat(900_000)}\n`],
  ['a row', `id,name\n17,A${','.repeat(900_000)}\n`],
  ['doubled quotation marks', `id,name\n17,"${'""'.repeat(400_000)}"\n`],
  ['blank rows', `id,name\n${'\n'.repeat(200_000)}17,A\n`],
])('the fast reader is not limited by the length of %s', (_, text) => {
  const read = readFastTable(sourceText('t.csv', text), createProblemList(), 0);
  expect(read?.count).toBe(1);
});

/** White space and invisible characters in and around them, characters of two units, and what folds or begins a formula. */
const beyondAscii = [
  ...'Größe¦Zu\u0308rich¦ﬁ-01¦İ¦🗼¦\u00a0A¦A\u3000¦A\u2003B¦\u2028¦É\u0085¦é\u00ad1'.split('¦'),
  ..."\ufeffé¦\u{e0041}¦𝄞¦\u{1d173}¦\u{13000}¦'＝1¦＝1¦٣".split('¦'),
];

const namesOf = (entries?: PlacedEntries) =>
  Array.from({ length: entries?.count ?? 0 }, (_, index) => entries?.nameAt(index));

const cellsOf: Readonly<Record<string, fc.Arbitrary<string>>> = {
  id: fc.oneof(
    fc.constant(''),
    fc.nat().map(String),
    fc.bigInt({ min: 10n ** 14n, max: 2n ** 63n - 1n }).map(String),
    fc.constantFrom('1234567890123450', '1E5'),
  ),
  name: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom('A', 'BER-WEB-01', 'a b', 'Zürich', '東京', '"', 'x,y', '#1') },
    { weight: 1, arbitrary: fc.constantFrom('', ' A', 'A\u200b', 'B ~rampart~3f9a1c', '#N/A', 'A\nB') },
    { weight: 1, arbitrary: fc.constantFrom(...beyondAscii) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
  ),
  current: fc.constantFrom('', '', 'A', 'OLD', '#REF!'),
  previously: fc.constantFrom('', '', 'OLD', 'X|Y', ' X | Y ', 'A', 'X|X', '|'),
  group: fc.constantFrom('', 'Berlin', 'Berlin; Mitte', '(none)', 'null', '19" rack', ...beyondAscii),
  groupId: fc.constantFrom('', '', '', '17', '-1', 'x'),
  antivirus: fc.constantFrom('', '', 'installed', 'yes'),
  ensure: fc.constantFrom('', '', '', 'present', 'absent', 'gone'),
  deleteAfter: fc.constantFrom('', '', '', '', '2027-01-31T00:00:00Z', '2027-02-30T00:00:00Z'),
  '#note': fc.constantFrom('', 'x', '#REF!', ' ', '"', ...beyondAscii),
  '': fc.constantFrom('', 'x'),
};

const madeTables = fc
  .tuple(
    fc.shuffledSubarray(Object.keys(cellsOf), { minLength: 1, maxLength: 5 }),
    fc.constantFrom(',', ';', '\t'),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .chain(([columns, delimiter, lineEnd, quotesAll]) => {
    const quote = (text: string) =>
      quotesAll || /[",;\t\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const row = fc.tuple(...columns.map((column) => cellsOf[column] as fc.Arbitrary<string>));
    return fc
      .array(row, { maxLength: 3 })
      .map((rows) => [columns, ...rows].map((cells) => cells.map(quote).join(delimiter) + lineEnd).join(''));
  });

const marks = [
  ...'¦""¦"x"¦\r\n¦#REF!¦(none)¦17¦id¦name¦current¦absent¦installed'.split('¦'),
  ...' ~rampart~3f9a1c¦\n,\n¦\n17,B\n¦\ud800¦\udc00'.split('¦'),
  ...Array.from(',;\t"\n\r |#-0Aé\u00a0\u0085\u2028\u200b\u202e\ufeff\u0000\u000b'),
];

const edits = changesWith(marks);
