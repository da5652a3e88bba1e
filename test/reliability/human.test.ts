import { describe, expect, it } from 'vitest';
import { humanRows } from './human-cases.ts';
import { findings, sampleOf } from './row.ts';

describe('someone else at work between any two calls', { timeout: 120_000 }, () => {
  it.each(humanRows().map((row, index) => ({ ...row, index, title: `${row.what}, before a ${row.at}` })))(
    '$title',
    async (row) => {
      const cases = await row.run(sampleOf(row.index));
      expect(cases.length).toBeGreaterThan(0);
      expect(findings(cases)).toEqual([]);
    },
  );
});
