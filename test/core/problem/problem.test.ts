import { describe, expect, test } from 'vitest';
import {
  failed,
  formatPlace,
  hasErrors,
  note,
  ok,
  problem,
  warning,
} from '../../../src/core/problem/problem.ts';
import { familyOf, problemCodes } from '../../../src/core/problem/problem-code.ts';

describe('a problem', () => {
  test('carries its details, and its severity depends on the function that creates it', () => {
    const place = { file: 'fleet.yaml', line: 7, col: 5 };
    expect(problem('unknown-key', 'unknown key "gruop"', { place, hint: 'did you mean "group"?' })).toEqual({
      code: 'unknown-key',
      severity: 'error',
      message: 'unknown key "gruop"',
      place,
      hint: 'did you mean "group"?',
    });
    expect(warning('suspicious-name', 'x').severity).toBe('warning');
    expect(note('awaiting-enrollment', 'x').severity).toBe('note');
    expect(formatPlace(place)).toBe('fleet.yaml:7:5');
  });

  test('stops the work only if it is an error', () => {
    expect(hasErrors([])).toBe(false);
    expect(hasErrors([warning('suspicious-name', 'x'), note('missing-host', 'x')])).toBe(false);
    expect(hasErrors([warning('suspicious-name', 'x'), problem('usage', 'x')])).toBe(true);
  });
});

describe('the codes', () => {
  const codes = Object.values(problemCodes).flat();

  test('are each in one family', () => {
    expect(new Set(codes).size).toBe(codes.length);
    for (const [family, members] of Object.entries(problemCodes)) {
      for (const code of members) expect(familyOf(code)).toBe(family);
    }
  });

  test.each(codes)('%s is written in small letters and hyphens', (code) => {
    expect(code).toMatch(/^[a-z]+(?:-[a-z]+)*$/);
  });
});

describe('a result', () => {
  test('is a value with its warnings, or problems', () => {
    const doubt = warning('suspicious-name', 'x');
    expect(ok(5)).toEqual({ ok: true, value: 5, problems: [] });
    expect(ok(5, [doubt])).toEqual({ ok: true, value: 5, problems: [doubt] });
    expect(failed(doubt)).toEqual({ ok: false, problems: [doubt] });
  });
});
