import { describe, expect, it } from 'vitest';
import { humanRows } from './human-cases.ts';
import { findings } from './row.ts';

describe('someone else at work between any two calls', { timeout: 120_000 }, () => {
  it.each(humanRows().map((row) => ({ ...row, title: `${row.what}, before a ${row.at}` })))(
    '$title',
    async (row) => {
      const cases = await row.run();
      expect(cases.length).toBeGreaterThan(0);
      expect(findings(cases)).toEqual([]);
    },
  );
});
