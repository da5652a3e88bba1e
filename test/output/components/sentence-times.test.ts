import { expect, it } from 'vitest';
import { withTimes } from '../../../src/output/components/sentence-times.ts';

it('writes the times of a sentence in the zone of the reader, and leaves all else as it is', () => {
  const shown = (text: string) => withTimes(text, 'en-GB', 'Europe/Berlin');
  expect(shown('the plan expired at 2026-11-29T16:54:23.670Z; plan again')).toBe(
    'the plan expired at 29 Nov 2026, 17:54; plan again',
  );
  expect(shown('ends 2026-07-01T06:00:00Z')).toBe('ends 1 Jul 2026, 08:00');
  expect(shown('host 2026-11-29 has 3 names')).toBe('host 2026-11-29 has 3 names');
});
