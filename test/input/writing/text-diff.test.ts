import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printDiff } from '../../../src/input/writing/text-diff.ts';
import { applyEdits, type TextEdit } from '../../../src/input/writing/text-edit.ts';

describe('a diff', () => {
  it('shows changed and added lines', () => {
    const text = 'a\nb\nc\n';
    const edits = [
      { start: 2, end: 3, text: 'B' },
      { start: 5, end: 5, text: '\nd' },
    ];
    expect(printDiff('f.yaml', text, edits)).toBe(
      '--- f.yaml\n+++ f.yaml\n@@ -2 +2 @@\n-b\n+B\n@@ -3,0 +4 @@\n+d\n',
    );
  });

  it('without a change is empty', () => {
    expect(printDiff('f.yaml', 'a\n', [])).toBe('');
    expect(printDiff('f.yaml', 'a\n', [{ start: 0, end: 1, text: 'a' }])).toBe('');
  });

  it('converts the old lines into the new ones', () => {
    const line = fc.constantFrom('a', 'b', '', '  c');
    const given = fc
      .array(line, { minLength: 1, maxLength: 12 })
      .map((lines) => `${lines.join('\n')}\n`)
      .chain((text) =>
        fc.record({
          text: fc.constant(text),
          edits: fc
            .array(
              fc.record({
                at: fc.nat(text.length - 1),
                removed: fc.nat(3),
                text: fc.constantFrom('', 'x', '\nx', 'x\n', 'x\ny\n'),
              }),
              { maxLength: 4 },
            )
            .map((edits) => withoutOverlap(text.length - 1, edits)),
        }),
      );
    fc.assert(
      fc.property(given, ({ text, edits }) => {
        const diff = printDiff('f', text, edits);
        expect(patched(linesOf(text), diff)).toEqual(linesOf(applyEdits(text, edits)));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The last line break is kept, because a diff can't show a text without one. */
function withoutOverlap(
  length: number,
  edits: readonly { readonly at: number; readonly removed: number; readonly text: string }[],
): readonly TextEdit[] {
  let free = 0;
  return edits
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ at, removed, text }) => {
      if (at < free) return [];
      const end = Math.min(length, at + removed);
      free = end + 1;
      return [{ start: at, end, text }];
    });
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').slice(0, -1);
}

/** Does what `patch` does with hunks without context. */
function patched(lines: readonly string[], diff: string): readonly string[] {
  const result: string[] = [];
  let at = 0;
  for (const row of diff.split('\n').slice(2, -1)) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$/.exec(row);
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      result.push(...lines.slice(at, start));
      at = start;
      expect(result.length).toBe(Number(head[3]) - (head[4] === '0' ? 0 : 1));
    } else if (row.startsWith('-')) {
      expect(lines[at]).toBe(row.slice(1));
      at += 1;
    } else result.push(row.slice(1));
  }
  return [...result, ...lines.slice(at)];
}
