const lines = (...rows: readonly string[]) => rows.map((row) => `${row}\n`).join('');
const latin1 = (text: string) => Buffer.from(text, 'latin1');

/**
 * Tables with mistakes; the output for each is `bad/<name>.txt`. Those that begin with `warn-` are read nevertheless.
 */
export const malformedTables: Readonly<Record<string, string | Uint8Array>> = {
  'absent-with-group': lines('id,group,ensure', '17,Berlin,absent'),
  'apostrophe-in-id': lines('id,name', "'1234567890,BER-WEB-01"),
  'antivirus-wrong': lines('id,antivirus', '17,yes', '18,instaled'),
  binary: Buffer.from([0x50, 0x4b, 3, 4, 0, 0, 8, 0]),
  'blank-before-quote': lines('id,name', '17, "BER-WEB-01"'),
  'claimed-twice': lines('id,name', '17,A', '17,B', '18,A'),
  'column-twice': lines('id;name;Name', '17;A;B'),
  'columns-missing': lines('group,antivirus', 'Berlin,installed'),
  'columns-unknown': lines('id,nmae,hostname,color', '17,A,B,red'),
  'delete-after-of-a-spreadsheet': lines('id,ensure,deleteAfter', '17,absent,31.01.2027'),
  empty: '',
  'ensure-wrong': lines('id,ensure', '17,deleted', '18,absnt'),
  'exponent-ids': lines('id;name', '1,23E+15;A', '1.23457E+09;B', '9e15;C'),
  'formula-errors': lines('id,name,group', '17,#N/A,Berlin', '18,B,#REF!'),
  'group-twice': lines('id,group,groupId', '17,Berlin,9'),
  'groups-wrong': lines('id,groupId', '17,Berlin', '18,1.0'),
  'grouped-digits': lines('id;name', '1.234.567.890;A', "1'234'567;B", '1 234 567;C', '1234567.0;D'),
  'hostile-text': lines('id,name', '17,"a\u202ecod.exe"', 'x\u001b[31m,<script>', '"=HYPERLINK(""x"")",@all'),
  'latin-1': latin1(lines('id,name', '17,Zürich')),
  'line-breaks-in-cells': lines('id,name,ensure', '17,"BER', 'WEB","no"', 'x,A,'),
  'long-row': lines('id,name', '17,Berlin, Mitte'),
  'no-id-and-no-name': lines('id,name,group', ',,Berlin'),
  'nul-inside': lines('id,name', '17,A\0B'),
  'out-of-range-id': lines('id,name', '9223372036854775808,A'),
  'parked-name': lines('id,name', '17,A ~rampart~3f9a1c'),
  'previous-names-empty': lines('name,previously', 'A,B||C'),
  'quote-in-the-middle': lines('name,group', '19" rack,Berlin'),
  'quote-never-closed': lines('id,name', '17,"A', '18,B', '19,C'),
  'short-row': lines('id,name,current', '17,A,B', '1234'),
  'text-after-quote': lines('id,name', '17,"BER" WEB'),
  'traded-names': lines('current,name', 'A,B', 'B,A'),
  'utf-16': Buffer.from(`\ufeff${lines('id,name', '17,A')}`, 'utf16le'),
  'warn-blanks-and-unseen': lines('id,name', '17," A"', '18,B\u200b'),
  'warn-rounded-id': lines('id,name', '1234567890123450,A', '9007199254740990000,B'),
  'yaml-by-mistake': 'version: 1\nhosts: []\n',
};
