import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/lib/display-width.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { givenPlan } from '../../given/plan.ts';

const long = (middle: string) =>
  `CORP-EUROPE-GERMANY-BERLIN-BUILDING-7-${middle}-WORKSTATION-OF-THE-SECOND-FLOOR`;

const plan = givenPlan({
  entries: [
    { id: '9007199254740993', name: long('B') },
    { id: '9007199254740994', name: long('C') },
    { id: '9007199254740995', name: 'short' },
    { id: 4, name: 'evil\u001b[2J\u202enew' },
    { id: 5, name: '東京サーバー室ファイルサーバー第二棟四階窓側の端末' },
    { id: 6, name: 'x'.repeat(10_000) },
    { id: 7, ensure: 'absent' },
    { id: 8, group: 'Berlin\u0007' },
    { id: 9, group: 'Berlin\u0007' },
    { id: 10, name: 'TAKEN' },
    { id: 11, name: 'WAITS' },
    { id: 12, name: 'NEW-OWNER' },
  ],
  hosts: [
    { id: '9007199254740993', name: long('A') },
    { id: '9007199254740994', name: long('A2') },
    { id: '9007199254740995', name: 'SHORT-ONE' },
    { id: 4, name: 'evil\r\nold' },
    { id: 5, name: '東京サーバー室ファイルサーバー第一棟四階窓側の端末' },
    { id: 6, name: 'y'.repeat(10_000) },
    { id: 7, name: 'NEW-OWNER' },
    { id: 8, name: `${'z'.repeat(90)}1${'z'.repeat(90)}` },
    { id: 9, name: `${'z'.repeat(90)}2${'z'.repeat(90)}` },
    { id: 10, name: 'WAITS' },
    { id: 11, name: 'LAST' },
    { id: 12, name: 'SPARE' },
    { id: 13, name: 'TAKEN' },
  ],
  groups: { 17: 'Berlin\u0007' },
});

describe('a plan with hostile names', () => {
  it.each([60, 80, 200])('is as reviewed in %i columns, no table wider than that', async (columns) => {
    const text = paintPlan(toRows(plan), { color: plainColor, columns });
    for (const line of text.split('\n').filter((each) => /^ {2}[-+>~] /.test(each))) {
      expect(displayWidth(line)).toBeLessThanOrEqual(columns);
    }
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    await expect(text).toMatchFileSnapshot(`../../golden/terminal/plan-${columns}.txt`);
  });

  it('keeps the title of a group with a name of 10,000 characters, and shows blank names', () => {
    const moved = givenPlan({
      entries: [
        { id: 1, group: { id: 17 } },
        { id: 2, group: { id: 17 } },
      ],
      hosts: [
        { id: 1, name: '   ' },
        { id: 2, name: ' padded ' },
      ],
      groups: { 17: 'g'.repeat(10_000) },
    });
    const text = paintPlan(toRows(moved), { color: plainColor, columns: 80 });
    const title = text.split('\n').find((line) => line.startsWith('Move 2 hosts')) ?? '';
    expect(displayWidth(title)).toBeLessThanOrEqual(80);
    expect(title).toContain('…');
    expect(text).toContain('>  ␠␠␠ ');
    expect(text).toContain('>  ␠padded␠ ');
  });

  it('distinguishes names that look alike in 80 columns', () => {
    const text = paintPlan(toRows(plan), { color: plainColor, columns: 80 });
    const rows = text.split('\n').filter((line) => line.includes('→'));
    const names = rows.flatMap((line) =>
      line
        .slice(5)
        .split(/\s{2,}/)
        .filter((cell) => cell.includes('…')),
    );
    expect(names.length).toBeGreaterThan(4);
    expect(new Set(names).size).toBe(names.length);
  });

  it('does not pad rows to one long name if lines may have any length', () => {
    const text = paintPlan(toRows(plan), { color: plainColor, columns: null });
    const row = text.split('\n').find((line) => line.includes('SHORT-ONE')) ?? '';
    expect(row.length).toBeLessThan(200);
    expect(text).toContain('x'.repeat(10_000));
  });

  it('counts renames blocked by name conflicts, and temporary renames before deletion', () => {
    const text = paintPlan(toRows(plan), { color: plainColor, columns: 200 });
    expect(text).toContain('Rename 7 hosts (plus 1 temporary rename before deletion)');
    expect(text).toMatch(/; 2 renames blocked, /);
    expect(text).toContain('name conflicts block 2 renames');
  });
});
