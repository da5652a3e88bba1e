import { expect, it } from 'vitest';
import { durationOption } from '../../../src/cli/shell/settings.ts';

it.each([
  ['30', 30_000],
  ['30s', 30_000],
  [' 5m ', 300_000],
  ['2h', 7_200_000],
  ['1d', 86_400_000],
  ['250ms', 250],
  ['1000000s', 1_000_000_000],
] as const)('the flag takes %j as %i milliseconds', (text, ms) => expect(durationOption(text)).toBe(ms));

it.each(['', 'm', '5 m', '-5s', '1.5h', '5w', '1e3'])('the flag refuses %j', (text) =>
  expect(() => durationOption(text)).toThrow('It must be a time such as 30s, 5m or 24h.'),
);
