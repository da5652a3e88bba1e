import { expect, it } from 'vitest';
import { memo } from '../../../src/core/lib/memo.ts';

it('computes one value for each key, even if it is undefined', () => {
  const asked: string[] = [];
  const length = memo((text: string) => {
    asked.push(text);
    return text === '' ? undefined : text.length;
  });
  expect(['a', 'bc', 'a', '', ''].map(length)).toEqual([1, 2, 1, undefined, undefined]);
  expect(asked).toEqual(['a', 'bc', '']);
});
