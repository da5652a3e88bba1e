import { describe, expect, test } from 'vitest';
import { ansiColour, type Colour, plainColour } from '../../../src/output/review/colour.ts';

const names = Object.keys(plainColour) as (keyof Colour)[];

describe('the palettes', () => {
  test.each(names)('%s is nothing in the plain one, and opens and closes in the other', (name) => {
    expect(plainColour[name]('x')).toBe('x');
    expect(ansiColour[name]('x')).toMatch(/^\P{L}\[\d+mx\P{L}\[\d+m$/u);
    expect(ansiColour[name]('')).toBe('');
  });

  test('nest', () => {
    expect(ansiColour.bold(`a${ansiColour.red('b')}c`)).toBe('\u001b[1ma\u001b[31mb\u001b[39mc\u001b[22m');
  });
});
