import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText } from '../../../src/core/lib/printable.ts';

it('keeps every value exact, and contains no raw character that a terminal would interpret', () => {
  const nasty = fc.string({
    unit: fc.constantFrom(
      'a',
      '"',
      '\\',
      '\u009b',
      '\u007f',
      '\u202e',
      '\u2028',
      '\ufeff',
      '\u{e0041}',
      '\u{e0100}',
      '\u034f',
      '😀',
    ),
  });
  fc.assert(
    fc.property(nasty, (name) => {
      const text = jsonText({ name });
      expect(JSON.parse(text)).toEqual({ name });
      expect(text).not.toMatch(/[\u007f-\u009f\u202e\u2028\ufeff\u{e0041}\u{e0100}\u034f]/u);
    }),
  );
});
