import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { rowLine, rowName, shownRows, tables, withTable } from './matrix.ts';
import type { Case } from './row.ts';

const page = await readFile(new URL('../../docs/contributing/reliability-tests.md', import.meta.url), 'utf8');

describe('the fault matrix in docs/contributing/reliability-tests.md', () => {
  it.each(tables)('$name: shows exactly the rows that the suite runs', (table) => {
    expect(shownRows(page, table), 'run: node test/reliability/write-matrix.ts').toEqual(
      table.rows.map(rowName),
    );
  });

  it('shows what was run, how each run ended, and what survived', () => {
    const base: Case = { title: '', exit: 0, next: 0, breaches: [] };
    const cases = [base, { ...base, exit: 5 }, { ...base, exit: null }, { ...base, exit: 5, next: 3 }];
    const broken = { ...base, breaches: ['a host is gone'] };
    expect(rowLine({ what: '429', at: 'rename' }, [...cases, broken])).toBe(
      '| 429 | rename | 5 | 2 | 2 × exit 5 | 1 | 4 of 5 | 4 |',
    );
  });

  it('refuses a page without a place for a table', () => {
    expect(() => withTable('no place', { name: 'deaths', rows: [] }, [])).toThrow('deaths');
  });
});
