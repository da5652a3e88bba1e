import { describe, expect, test } from 'vitest';
import { displayWidth } from '../../../src/core/lib/display-width.ts';
import { graphemes } from '../../../src/core/lib/graphemes.ts';
import { note, type Place, type Problem, problem, warning } from '../../../src/core/problem/problem.ts';
import { ansiColor, plainColor, plainStyle } from '../../../src/output/review/color.ts';
import { renderProblem, renderProblems } from '../../../src/output/review/problem-text.ts';

function place(line: number, text: string, marked: string): Place {
  const at = text.indexOf(marked);
  return { file: 'fleet.yaml', line, col: at + 1, width: marked.length, text };
}

function render(each: Problem): readonly string[] {
  return renderProblem(each, plainStyle).split('\n');
}

describe('a problem as text', () => {
  test('shows the line, marks the place and prints the hint', () => {
    const each = problem('unknown-key', 'unknown key "gruop"', {
      place: place(7, '    gruop: Berlin', 'gruop'),
      hint: 'did you mean "group"?',
    });
    expect(render(each)).toEqual([
      'error[unknown-key]: unknown key "gruop"',
      '  --> fleet.yaml:7:5',
      '   |',
      ' 7 |     gruop: Berlin',
      '   |     ^^^^^',
      '   = did you mean "group"?',
      '',
    ]);
  });

  test('shows other places too, with line numbers aligned, and counts those that are too many', () => {
    const each = problem('duplicate-host', 'the host 5 has 6 entries', {
      place: place(120, '  - id: 5', '5'),
      related: [3, 40, 50, 60, 70].map((line) => place(line, '  - id: 5', '5')),
    });
    expect(render(each).slice(0, 9)).toEqual([
      'error[duplicate-host]: the host 5 has 6 entries',
      '    --> fleet.yaml:120:9',
      '     |',
      ' 120 |   - id: 5',
      '     |         ^',
      '    ::: fleet.yaml:3:9',
      '     |',
      '   3 |   - id: 5',
      '     |         -',
    ]);
    expect(render(each).slice(-2)).toEqual(['    ::: and 2 more', '']);
  });

  test.each([60, 80, 120])('shows a long source line around its mark in %i columns', (columns) => {
    const blanks = 'note: a remark, '.repeat(20);
    for (const [text, marked] of [
      [`  - { id: 1, ${blanks}, gruop: Berlin, ${blanks} }`, 'gruop'],
      [`  - { gruop: Berlin, ${blanks} }`, 'gruop'],
      [`  - { id: 1, ${blanks}, gruop: 東京サーバー室 }`, '東京サーバー室'],
      [`  - { id: 1, name: ${'x'.repeat(400)}, group: Berlin }`, 'x'.repeat(400)],
      [`${'x'.repeat(400)}`, 'x'.repeat(400)],
      [`\t\t{ id: 1 } # ${blanks}`, 'id'],
    ] as const) {
      const each = problem('unknown-key', 'a problem', { place: place(1234, text, marked) });
      const [, , , line = '', mark = ''] = renderProblem(each, { color: plainColor, columns }).split('\n');
      expect(displayWidth(line), text).toBeLessThanOrEqual(columns);
      expect(displayWidth(mark), text).toBeLessThanOrEqual(columns);
      const from = mark.indexOf('^');
      const shown = Array.from(graphemes(line), ({ segment }) => segment);
      const under = shown.filter((_, index) => displayWidth(shown.slice(0, index).join('')) >= from);
      const end = displayWidth(mark);
      const marks = under.filter((_, index) => from + displayWidth(under.slice(0, index).join('')) < end);
      expect(marked.startsWith(marks.join('').replace(/…$/, '')), `${line}\n${mark}`).toBe(true);
      if (displayWidth(marked) < columns / 2) expect(marks.join('')).toBe(marked);
    }
  });

  test('wraps a message and a hint between words, to fit a narrow terminal', () => {
    const hint =
      'the keys here are id, name, current, previously, group, antivirus, ensure, deleteAfter and protect';
    const message = 'unknown key "reason" in an entry that has keys for everything but a reason';
    const each = problem('unknown-key', message, { place: { file: 'a.yaml', line: 12, col: 1 }, hint });
    expect(renderProblem(each, { color: plainColor, columns: 60 }).split('\n')).toEqual([
      'error[unknown-key]: unknown key "reason" in an entry that',
      '  has keys for everything but a reason',
      '   --> a.yaml:12:1',
      '    = the keys here are id, name, current, previously,',
      '      group, antivirus, ensure, deleteAfter and protect',
      '',
    ]);
  });

  test('needs no place, and no line of source', () => {
    expect(render(problem('network', 'no reply', { hint: 'try again' }))).toEqual([
      'error[network]: no reply',
      '   = try again',
      '',
    ]);
    expect(render(problem('usage', 'x', { place: { file: 'a.yaml', line: 1, col: 1 } }))).toEqual([
      'error[usage]: x',
      '  --> a.yaml:1:1',
      '',
    ]);
  });

  test.each([
    ['wide characters', '  - { name: 東京, gruop: x }', 'gruop', 18],
    ['a wide character itself', '  - { 東京: x }', '東京', 6],
    ['a tab', 'a\tgruop: x', 'gruop', 4],
    ['an escape', '\u001b[31m gruop: x', 'gruop', 6],
    ['a mark that reorders', '\u202e gruop: x', 'gruop', 9],
    ['a combining mark', 'u\u0308 gruop: x', 'gruop', 2],
  ])('marks the right cells after %s', (_, text, marked, cells) => {
    const lines = render(problem('unknown-key', 'x', { place: place(1, text, marked) }));
    expect(lines[4]).toMatch(new RegExp(`^   \\| {${cells + 1}}\\^+$`));
    expect(lines[3]).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('marks wide characters in full', () =>
    expect(render(problem('unknown-key', 'x', { place: place(1, '東京: x', '東京') }))[4]).toBe('   | ^^^^'));

  test('shows that a long line is cut', () => {
    const lines = render(
      problem('unknown-key', 'x', {
        place: { file: 'a', line: 1, col: 101, width: 2, text: 'before XX after', textCol: 94 },
      }),
    );
    expect(lines.slice(3, 5)).toEqual([' 1 | …before XX after', '   |         ^^']);
  });

  test('lets no untrusted text move the cursor', () => {
    const each = problem('unknown-key', 'key "\u001b[2J"', {
      hint: 'did you mean "\u202e"?\n',
      place: { file: 'a\u001b[31m.yaml', line: 1, col: 1, width: 3, text: '\u0007\r\u009b' },
    });
    expect(renderProblem(each, plainStyle).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202e]/u);
  });

  test('says the severity in color', () => {
    expect(renderProblem(problem('usage', 'x'), { ...plainStyle, color: ansiColor })).toBe(
      '\u001b[1m\u001b[31merror[usage]\u001b[39m\u001b[22m\u001b[1m: x\u001b[22m\n',
    );
    expect(renderProblem(warning('usage', 'x'), { ...plainStyle, color: ansiColor })).toContain(
      '\u001b[33mwarning',
    );
    expect(renderProblem(note('usage', 'x'), { ...plainStyle, color: ansiColor })).toContain(
      '\u001b[36mnote',
    );
  });
});

describe('problems as text', () => {
  test('show errors first, with a blank line between them and a count at the end', () => {
    const text = renderProblems(
      [note('usage', 'c'), warning('usage', 'b'), problem('usage', 'a'), note('usage', 'd')],
      plainStyle,
    );
    expect(text).toBe(
      'error[usage]: a\n\nwarning[usage]: b\n\nnote[usage]: c\n\nnote[usage]: d\n\n1 error, 1 warning, 2 notes\n',
    );
  });

  test('are empty if there are none', () => expect(renderProblems([], plainStyle)).toBe(''));

  test('are shown up to a bound', () => {
    const problems = Array.from({ length: 60 }, (_, index) => problem('usage', `p${index}`));
    expect(renderProblems(problems, plainStyle)).toMatch(/p49\n\n… and 10 more\n\n60 errors\n$/);
  });
});
