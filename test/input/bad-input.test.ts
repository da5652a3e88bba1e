import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readDesired } from '../../src/input/read-desired.ts';
import { plainStyle } from '../../src/output/review/color.ts';
import { renderProblems } from '../../src/output/review/problem-text.ts';

/** Every `bad/<case>.yaml` is read, and the output for the user is `bad/<case>.txt`. */
const folder = new URL('bad/', import.meta.url);
const cases = readdirSync(folder)
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.slice(0, -'.yaml'.length));

describe('a malformed file is reported in full', () => {
  test.each(cases)('%s', async (name) => {
    const result = readDesired([
      { file: `${name}.yaml`, text: readFileSync(new URL(`${name}.yaml`, folder)) },
    ]);

    expect(result.ok).toBe(name.startsWith('warn-'));
    expect(result.problems.length).toBeGreaterThan(0);
    const text = renderProblems(result.problems, plainStyle);
    expect(text).not.toMatch(/\n\s+at |[^\P{Cc}\n]|[\u202a-\u202e]/u);
    await expect(text).toMatchFileSnapshot(new URL(`${name}.txt`, folder).pathname);
  });

  test('and there are at least forty of them', () => {
    expect(cases.length).toBeGreaterThanOrEqual(40);
  });
});
