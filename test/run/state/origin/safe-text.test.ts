import { describe, expect, it } from 'vitest';
import { branchName, safeAddress, safeReason, safeWord } from '../../../../src/run/state/origin/safe-text.ts';

describe('a safe word', () => {
  it('is one line without blanks around it', () => {
    expect(safeWord(' release\n\tbot  2 ')).toBe('release bot 2');
  });

  it('is absent if there is no text', () => {
    expect(safeWord(undefined)).toBeUndefined();
    expect(safeWord(' \n ')).toBeUndefined();
  });

  it('has at most 200 characters, and ends with an ellipsis if it was cut', () => {
    expect(safeWord('a'.repeat(200))).toBe('a'.repeat(200));
    expect(safeWord('a'.repeat(201))).toBe(`${'a'.repeat(199)}…`);
    expect(safeReason('a'.repeat(1001))).toBe(`${'a'.repeat(999)}…`);
  });

  it('comes from the start of the text only', () => {
    expect(safeWord(`a${' '.repeat(800)}b`)).toBe('a');
  });
});

describe('a safe address', () => {
  it('has no user, password, query and fragment', () => {
    expect(safeAddress('https://user:pass@ci.example/jobs/2?token=t#x')).toBe('https://ci.example/jobs/2');
    expect(safeAddress('http://ci.example/')).toBe('http://ci.example/');
  });

  it('is absent if the text is not a web address, or is longer than 1,000 characters', () => {
    const longest = 'https://ci.example/'.padEnd(1000, 'a');
    expect(safeAddress(longest)).toBe(longest);
    for (const text of [undefined, `${longest}a`, 'ci.example', 'file:///etc/passwd'])
      expect(safeAddress(text), text).toBeUndefined();
  });
});

it('the name of a branch has no refs/heads/ and no origin/', () => {
  expect(['refs/heads/fix/names', 'origin/main', 'main'].map(branchName)).toEqual([
    'fix/names',
    'main',
    'main',
  ]);
  expect(branchName(undefined)).toBeUndefined();
});
