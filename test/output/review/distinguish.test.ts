import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/lib/display-width.ts';
import { distinguish } from '../../../src/output/review/distinguish.ts';

describe('names that are cut', () => {
  it('keep both ends if that distinguishes them', () => {
    expect(fitted(['BERLIN-WEB-SERVER-0001', 'BERLIN-WEB-SERVER-0002'], 11)).toEqual([
      'BERLI…-0001',
      'BERLI…-0002',
    ]);
  });

  it('show the part in which they differ if their ends are alike', () => {
    const names = ['CORP-EUROPE-BERLIN-0042-WORKSTATION', 'CORP-EUROPE-BERLIN-0043-WORKSTATION'];
    expect(fitted(names, 20)).toEqual(['COR…0042-WORKSTATION', 'COR…0043-WORKSTATION']);
  });

  it('are distinguished across columns of different widths, as in a rename', () => {
    const from = 'CORP-EUROPE-BERLIN-OLD-WORKSTATION-1';
    const to = 'CORP-EUROPE-BERLIN-NEW-WORKSTATION-1';
    const fit = distinguish([
      { text: from, width: 17 },
      { text: to, width: 18 },
    ]);
    expect(fit(from, 17)).toContain('OLD');
    expect(fit(to, 18)).toContain('NEW');
  });

  it('are distinguished even if they differ at different positions', () => {
    const names = ['1-A', '1-B', '2-A', '2-B'].map(
      (part) => `${'x'.repeat(30)}${part[0]}${'y'.repeat(30)}${part[2]}${'z'.repeat(30)}`,
    );
    expect(new Set(fitted(names, 20)).size).toBe(4);
  });

  it('are left unchanged if they fit', () => expect(fitted(['short', 'x'.repeat(40)], 10)[0]).toBe('short'));

  it('look different whenever they are different, and are never too wide', () =>
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc
            .array(fc.constantFrom('AAAAAAAAAA', 'BBBBBBBBBB', 'a', 'b', '漢', '…', '#1'), {
              minLength: 1,
              maxLength: 8,
            })
            .map((parts) => parts.join('')),
          { minLength: 1, maxLength: 12 },
        ),
        fc.integer({ min: 8, max: 40 }),
        (names, width) => {
          const shown = fitted(names, width);
          for (const text of shown) expect(displayWidth(text)).toBeLessThanOrEqual(width);
          expect(new Set(shown).size).toBe(names.length);
        },
      ),
    ));
});

function fitted(names: readonly string[], width: number): readonly string[] {
  const fit = distinguish(names.map((text) => ({ text, width })));
  return names.map((text) => fit(text, width));
}
