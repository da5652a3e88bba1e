import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/lib/display-width.ts';
import { shorten } from '../../../src/output/review/shorten.ts';
import { type Cell, layOut } from '../../../src/output/review/table.ts';

const columns = ['name', 'fixed', 'extra'] as const;

describe('a table', () => {
  const rows = [
    [{ text: 'a-rather-long-name' }, { text: '9223372036854775807' }, { text: 'fleet.yaml:1:3' }],
    [{ text: '漢字' }, { text: '7' }, { text: 'fleet.yaml:22:3' }],
  ];

  it('aligns columns, wide characters included', () => {
    expect(layOut(rows, { columns, indent: 2, width: null })).toEqual([
      '  a-rather-long-name  9223372036854775807  fleet.yaml:1:3',
      '  漢字                7                    fleet.yaml:22:3',
    ]);
  });

  it('gives up the extra column before it shortens a name', () => {
    expect(layOut(rows, { columns, indent: 2, width: 50 })[0]).toBe(
      '  a-rather-long-name  9223372036854775807',
    );
  });

  it('keeps the short text of the extra column, if it has one, and shortens names instead', () => {
    const located = rows.map(([name, id], at) => [
      name as Cell,
      id as Cell,
      { text: `berlin, line ${at}`, short: `line ${at}` },
    ]);
    const lines = (width: number | null) => layOut(located, { columns, indent: 2, width });
    expect(lines(null)[0]).toBe('  a-rather-long-name  9223372036854775807  berlin, line 0');
    expect(lines(50)[0]).toBe('  a-rather-long-name  9223372036854775807  line 0');
    expect(lines(43)).toEqual([
      '  a-rath…-name  9223372036854775807  line 0',
      '  漢字          7                    line 1',
    ]);
  });

  it('shortens names in the middle and never an id', () => {
    expect(layOut(rows, { columns, indent: 2, width: 35 })).toEqual([
      '  a-rath…-name  9223372036854775807',
      '  漢字          7',
    ]);
  });

  it('pads with plain blanks, and styles only visible text', () => {
    const painted = layOut([[{ text: 'a', paint: (text) => `<${text}>` }, { text: 'bb' }, { text: '' }]], {
      columns,
      indent: 0,
      width: null,
    });
    expect(painted).toEqual(['<a>  bb']);
  });

  it('stays within the width if names can be shortened', () =>
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ unit: 'grapheme', maxLength: 40 }), fc.string({ maxLength: 19 })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.integer({ min: 40, max: 120 }),
        (pairs, width) => {
          const cells = pairs.map(([name, id]) => [
            { text: plain(name) },
            { text: plain(id) },
            { text: 'where' },
          ]);
          for (const line of layOut(cells, { columns, indent: 2, width })) {
            expect(displayWidth(line)).toBeLessThanOrEqual(width);
          }
        },
      ),
    ));
});

describe('a shortened text', () => {
  it('keeps both ends', () => expect(shorten('BERLIN-WEB-SERVER-0001', 11)).toBe('BERLI…-0001'));

  it('is never too wide, and a text that fits is unchanged', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 40 }),
        (text, width) => {
          const short = shorten(plain(text), width);
          expect(displayWidth(short)).toBeLessThanOrEqual(width);
          if (displayWidth(plain(text)) <= width) expect(short).toBe(plain(text));
          else expect(short).toContain('…');
        },
      ),
    ));

  it('never cuts a character in two', () =>
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 60 }),
        fc.integer({ min: 1, max: 20 }),
        (text, width) => {
          expect(shorten(text, width).isWellFormed()).toBe(text.isWellFormed());
        },
      ),
    ));
});

/** Control characters are escaped before a text reaches a table. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '');
}
