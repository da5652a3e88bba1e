import { columnTypes } from '../../core/model/asset-table.ts';
import { pagingWords } from '../../core/model/register-request.ts';
import type { Fields } from './field.ts';
import { presetNames } from './register-presets.ts';

// The keys of the items of `tables:`.

export const columnFields = {
  name: {
    type: 'text',
    required: true,
    noun: 'the name of a column',
    meaning: 'The name of the column in the table.',
  },
  type: {
    type: 'word',
    words: columnTypes,
    required: true,
    meaning:
      'The type of its cells: text, int, number, bool, or date (RFC 3339, or 2026-01-31). A cell of another type refuses the table.',
  },
} as const satisfies Fields;

export const tableLimitFields = {
  shrink: {
    type: 'limit',
    meaning: 'How many rows the table may lose between two runs: a percentage, or a number. Default: 10%.',
  },
  rows: { type: 'count', meaning: 'The fewest rows that the table must have. Default: 1.' },
  age: {
    type: 'duration',
    meaning: 'The oldest age of the file, such as 7d. In a Git checkout, this is the age of the checkout.',
  },
} as const satisfies Fields;

export const pagingFields = {
  by: {
    type: 'word',
    words: pagingWords,
    required: true,
    meaning:
      'How the register divides its rows: offset, page or cursor in a parameter, the address in a field (next) or in the header Link (link), range as in GLPI, or none.',
  },
  param: {
    type: 'text',
    meaning: 'The parameter with the offset, page, cursor or range. Default: the word in "by".',
  },
  sizeParam: { type: 'text', meaning: 'The parameter with the number of rows on a page.' },
  size: { type: 'count', meaning: 'The number of rows on a page. Default: 100.' },
  first: { type: 'count', meaning: 'The number of the first page. Default: 1.' },
  at: { type: 'text', meaning: 'The field of a page with the next cursor or address.' },
  total: {
    type: 'text',
    meaning:
      'The field of a page with the number of all rows, or header: and the name of a header. The rows must be as many.',
  },
} as const satisfies Fields;

export const tableFields = {
  name: {
    type: 'text',
    required: true,
    noun: 'the name of a table',
    meaning: 'The name of the table in expressions: letters and digits, such as asset.',
    ifMissing: 'add a name, such as "name: asset": expressions then read asset.Site',
  },
  file: {
    type: 'text',
    noun: 'the path of a table',
    meaning:
      'A file of CSV, JSON (.json) or one JSON object a line (.ndjson, .jsonl). The path is relative to this file.',
  },
  source: {
    type: 'text',
    noun: 'the name of a source',
    meaning:
      'In place of a file: a register over HTTP or in PostgreSQL. Its address and its credentials are in environment variables that begin with RAMPART_SOURCE_ and this name.',
  },
  preset: {
    type: 'word',
    words: presetNames,
    meaning: 'The product behind the source, which sets path, rowsAt and paging.',
  },
  path: {
    type: 'text',
    noun: 'the path of a source',
    meaning: 'The path and query of the first page, below the address of the source.',
  },
  query: {
    type: 'text',
    noun: 'a query',
    meaning: 'In place of a path: one SELECT statement for a register in PostgreSQL.',
  },
  paging: { type: 'section', fields: pagingFields, meaning: 'How the source divides its rows into pages.' },
  rowsAt: {
    type: 'text',
    meaning:
      'Where JSON has its list of rows, such as data.items. Default: the whole file or page is the list.',
  },
  key: {
    type: 'text',
    required: true,
    noun: 'the key of a table',
    meaning: 'The column that identifies a row, such as Serial. Two rows with the same key refuse the plan.',
  },
  join: {
    type: 'expression',
    required: true,
    meaning:
      'The key of a host: a CEL expression, such as host.inventory.hardware.serviceTag. Letter case does not matter.',
  },
  columns: {
    type: 'list',
    fields: columnFields,
    meaning: 'The types of columns that are not text.',
  },
  limits: {
    type: 'section',
    fields: tableLimitFields,
    meaning: 'What must be true of the table before a plan relies on it.',
  },
} as const satisfies Fields;
