import { expect, test } from 'vitest';
import { quoted } from '../../../src/core/lib/words.ts';

test.each([
  ['BER-WEB-01', '"BER-WEB-01"'],
  ['', '""'],
  ['x'.repeat(80), `"${'x'.repeat(80)}"`],
  ['x'.repeat(81), `"${'x'.repeat(80)}…"`],
  [`${'x'.repeat(79)}👍x`, `"${'x'.repeat(79)}…"`],
])('%s in a message is %s', (text, expected) => {
  expect(quoted(text)).toBe(expected);
});
