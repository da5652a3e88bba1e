import { describe, expect, it, vi } from 'vitest';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { note, problem, warning } from '../../../src/core/problem/problem.ts';
import { plainColor } from '../../../src/output/review/color.ts';
import { paintMarkdown } from '../../../src/output/review/markdown.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { hostId } from '../../given/fleet.ts';
import { givenPlan } from '../../given/plan.ts';

const painters = {
  text: (plan: Plan) => paintPlan(toRows(plan), { color: plainColor, columns: 120, summary: true }),
  Markdown: (plan: Plan) => paintMarkdown(toRows(plan), { limit: 65_536, summary: true }),
};

describe.each(Object.entries(painters))('a summary as %s', (format, paint) => {
  it('has the totals, every deletion and the blocking problems, and no host whose changes can be undone', () => {
    const text = paint(everyKind());
    expect(text).toContain('Plan: 1 rename, 1 move, 1 anti-virus install, 1 deletion; ');
    expect(text).toContain('4 API calls (the minimum possible).');
    expect(text).toContain("This plan can't be applied: 1 error");
    for (const shown of ['KIOSK', 'error[name-conflict]: in the way', 'warning[name-differs]: look at it'])
      expect(text).toContain(shown);
    for (const hidden of ['OLD', 'NEW', 'MOVER', ...(format === 'text' ? ['BARE'] : []), 'waits'])
      expect(text.match(new RegExp(`\\b${hidden}\\b`))).toBeNull();
  });

  it('of a comparison counts the changes of the pull request', () => {
    const change = {
      kind: 'rename',
      hostId: hostId(1),
      name: 'OLD',
      to: 'NEW',
      reason: { file: 'f', line: 1, col: 1 },
    } as const;
    const comparison = { base: 'main', introduced: [change], pending: [], drift: [], reverted: [] };
    const text = paint({ ...everyKind(), comparison });
    expect(text).toMatch(/Compared with `?main`?: 1 change added by this change, 0 already pending\./);
    expect(text).not.toContain('NEW');
  });

  it('counts the hosts of each group before and after', () =>
    expect(paint(everyKind())).toMatch(/Berlin.*1.*0/));
});

it('a summary as text of renames and moves does not wait for the order of the steps', () => {
  const plan = givenPlan({
    entries: [
      { id: 1, name: 'NEW' },
      { id: 2, group: null },
    ],
    hosts: [
      { id: 1, name: 'OLD' },
      { id: 2, name: 'MOVER', group: 17 },
    ],
    groups: { 17: 'Berlin' },
  });
  const steps = vi.spyOn(plan, 'steps', 'get');
  expect(painters.text(plan)).toMatch(/Berlin.*from 1 to 0 hosts/);
  expect(steps).not.toHaveBeenCalled();
});

function everyKind(): Plan {
  const plan = givenPlan({
    entries: [
      { id: 1, name: 'NEW' },
      { id: 2, group: null },
      { id: 3, antivirus: true },
      { id: 4, ensure: 'absent' },
    ],
    hosts: [
      { id: 1, name: 'OLD' },
      { id: 2, name: 'MOVER', group: 17 },
      { id: 3, name: 'BARE', antivirus: 'missing' },
      { id: 4, name: 'KIOSK' },
    ],
    groups: { 17: 'Berlin' },
  });
  const problems = [
    problem('name-conflict', 'in the way'),
    warning('name-differs', 'look at it'),
    note('awaiting-enrollment', 'one waits'),
  ];
  return { ...plan, problems };
}
