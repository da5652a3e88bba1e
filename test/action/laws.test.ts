import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toAnnotations } from '../../src/action/annotations.ts';
import { createRedaction } from '../../src/core/lib/redaction.ts';
import { problem } from '../../src/core/problem/problem.ts';
import { keyPattern, printMarker, readMarker } from '../../src/forge/marker.ts';
import { fenced } from '../../src/output/review/fenced.ts';
import { hostileName } from '../given/hostile-names.ts';
import { elementsOf, renderMarkdown } from '../given/rendered-markdown.ts';

const hostileText = fc.array(hostileName, { maxLength: 6 }).map((lines) => lines.join('\n'));

describe('a block of code', () => {
  it('is one block, whatever is in it, within its limit', () =>
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 40, max: 400 }), (text, limit) => {
        const block = fenced(text, limit);
        fc.pre((/`+/.exec(text)?.[0].length ?? 0) < 10);
        expect(block.length).toBeLessThanOrEqual(limit);
        expect(elementsOf(renderMarkdown(`before\n\n${block}\nafter`)).toSorted()).toEqual([
          'code',
          'p',
          'pre',
        ]);
      }),
    ));

  it('may have any number of backticks', () =>
    expect(fenced('`a'.repeat(300_000), 100)).toMatch(/^```text\n…\n[`a]+\n```\n$/));
});

describe('a marker', () => {
  it('is read back as it was written, and ends the hidden line', () =>
    fc.assert(
      fc.property(
        fc.stringMatching(keyPattern),
        fc.option(fc.stringMatching(/^[0-9a-f]{64}$/), { nil: undefined }),
        hostileText,
        (key, checksum, rest) => {
          const marker = { key, ...(checksum === undefined ? {} : { checksum }) };
          expect(readMarker(printMarker(marker) + rest)).toEqual(marker);
          expect(renderMarkdown(`${printMarker(marker)}## x`)).toMatch(/^<!-- [^>]* -->\n<h2>x<\/h2>$/);
        },
      ),
    ));

  it('is found only at the start', () =>
    fc.assert(
      fc.property(hostileText, (before) => {
        fc.pre(before !== '');
        expect(readMarker(before + printMarker({ key: 'default' }))).toBeUndefined();
      }),
    ));
});

describe('a secret', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9+/]{16,128}$/);
  it('is removed, even if only a part of it appears', () =>
    fc.assert(
      fc.property(
        secret,
        fc.nat(),
        fc.nat(),
        fc.string(),
        fc.string(),
        (whole, from, more, before, after) => {
          const start = from % (whole.length - 15);
          const part = whole.slice(start, start + 16 + (more % 113));
          const { hide, redact } = createRedaction();
          hide([whole]);
          const shown = redact(`${before}${part}${after}`);
          for (let at = 0; at + 16 <= whole.length; at += 1)
            expect(shown).not.toContain(whole.slice(at, at + 16));
          expect(shown).toContain('[secret]');
        },
      ),
    ));

  it('removes nothing else', () => {
    const { hide, redact } = createRedaction();
    hide(['correct-horse-battery-staple']);
    expect(redact('a correct-horse, a battery: fine')).toBe('a correct-horse, a battery: fine');
    expect(redact('<correct-horse-battery-staple>')).toBe('<[secret]>');
    expect(redact('correct-horse-battery…correct-horse-battery-staple')).toBe('[secret]…[secret]');
  });
});

it('an annotation contains only our own lines', () =>
  fc.assert(
    fc.property(hostileName, hostileName, (name, file) => {
      const place = { file, line: 1, col: 1 };
      const [annotation] = toAnnotations([problem('name-conflict', `${name} is taken`, { place })], '.');
      expect(annotation?.message).not.toMatch(/[\r\n]/);
      expect(annotation?.file).not.toMatch(/[\r\n]/);
    }),
  ));
