import { describe, expect, test } from 'vitest';
import { ok } from '../../../src/core/problem/problem.ts';
import { familyOf } from '../../../src/core/problem/problem-code.ts';
import { readDesired } from '../../../src/input/read-desired.ts';
import { plainStyle } from '../../../src/output/review/color.ts';
import { renderProblems } from '../../../src/output/review/problem-text.ts';
import { malformedTables } from './malformed-tables.ts';

const folder = new URL('bad/', import.meta.url);
describe('a malformed table is reported in full', () => {
  test.each(Object.keys(malformedTables))('%s', async (name) => {
    const file = `${name}.csv`;
    const result = readDesired([{ file: 'fleet.yaml', text: `version: 1\nhostsFrom: ${file}\n` }], {
      openTable: (path) => ok({ file: path, text: malformedTables[name] as string }),
    });

    expect(result.ok).toBe(name.startsWith('warn-'));
    expect(result.problems.length).toBeGreaterThan(0);
    for (const each of result.problems) {
      expect(each.place?.file).toBe(file);
      expect(familyOf(each.code)).toBe('input');
    }
    const text = renderProblems(result.problems, plainStyle);
    expect(text).not.toMatch(/\n\s+at |[^\P{Cc}\n]|[\u202a-\u202e]/u);
    await expect(text).toMatchFileSnapshot(new URL(`${name}.txt`, folder).pathname);
  });

  test('and there are at least thirty of them', () => {
    expect(Object.keys(malformedTables).length).toBeGreaterThanOrEqual(30);
  });
});
