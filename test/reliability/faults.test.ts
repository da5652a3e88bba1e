import { describe, expect, it } from 'vitest';
import { faultRows } from './fault-cases.ts';
import { findings, sampleOf } from './row.ts';

describe('a fault of the service or the connection to it', { timeout: 120_000 }, () => {
  it.each(faultRows().map((row, index) => ({ ...row, index, title: `${row.what}: ${row.at}` })))(
    '$title',
    async (row) => {
      const cases = await row.run(sampleOf(row.index));
      expect(cases.length).toBeGreaterThan(0);
      expect(findings(cases)).toEqual([]);
    },
  );
});
