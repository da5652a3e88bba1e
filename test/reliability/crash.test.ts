import { describe, expect, it } from 'vitest';
import { crashRows } from './crash-cases.ts';
import { findings, sampleOf } from './row.ts';

describe('a crash at every boundary', { timeout: 120_000 }, () => {
  it.each(crashRows().map((row, index) => ({ ...row, index, title: `${row.what}, at a ${row.at}` })))(
    '$title: the next run repairs it',
    async (row) => {
      const cases = await row.run(sampleOf(row.index));
      expect(cases.length).toBeGreaterThan(0);
      expect(findings(cases)).toEqual([]);
    },
  );
});
