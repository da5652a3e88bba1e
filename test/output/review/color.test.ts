import { describe, expect, test } from 'vitest';
import { ansiColor, type Color, plainColor } from '../../../src/output/review/color.ts';

const names = Object.keys(plainColor) as (keyof Color)[];

describe('the palettes', () => {
  test.each(names)('%s has no codes in the plain one, and opens and closes in the other', (name) => {
    expect(plainColor[name]('x')).toBe('x');
    expect(ansiColor[name]('x')).toMatch(/^\P{L}\[\d+mx\P{L}\[\d+m$/u);
    expect(ansiColor[name]('')).toBe('');
  });

  test('nest', () =>
    expect(ansiColor.bold(`a${ansiColor.red('b')}c`)).toBe('\u001b[1ma\u001b[31mb\u001b[39mc\u001b[22m'));
});
