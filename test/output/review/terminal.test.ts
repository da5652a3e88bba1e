import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { displayWidth } from '../../../src/core/lib/display-width.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { ansiColor, plainColor } from '../../../src/output/review/color.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { shownName } from '../../../src/output/review/step-title.ts';
import { paintPlan } from '../../../src/output/review/terminal.ts';
import { givenPlan } from '../../given/plan.ts';

const hostile = 'evil\u001b[2J\u202e\n\r\u0007name';

describe('the plan on a terminal', () => {
  it("shows every kind of change, what can't be undone first", () => {
    const plan = givenPlan({
      entries: [
        { id: 1, name: 'B' },
        { id: 2, name: 'A' },
        { id: '9223372036854775807', name: 'BER-WEB-01', group: 'Berlin', antivirus: true },
        { id: 4, ensure: 'absent' },
        { id: 5, name: 'KIOSK' },
        { id: 6, group: null },
        { id: 7, name: 'SAME' },
        { name: 'NOT-YET' },
      ],
      hosts: [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
        { id: '9223372036854775807', name: 'DESKTOP', antivirus: 'missing' },
        { id: 4, name: 'KIOSK' },
        { id: 5, name: 'SPARE' },
        { id: 6, name: 'LOOSE', group: 17 },
        { id: 7, name: 'SAME' },
        { id: 8, name: 'NOBODY' },
      ],
      groups: { 17: 'Berlin' },
    });
    expect(paint(plan)).toBe(`The fleet of account 1234567890 at https://remote.example.com
8 hosts and 1 group read at 2026-11-21T09:00:00Z; desired state from fleet.yaml

Delete 1 host (can't be undone)
  -  KIOSK  4  line 4  in no group  online now

Install anti-virus on 1 host (can't be undone)
  +  DESKTOP  9223372036854775807  line 3  in no group  online now

Rename 4 hosts (plus 1 temporary rename before deletion)
  two hosts swap names
  ~  A        →  B                           1                    line 1  temporary rename first
  ~  B        →  A                           2                    line 2
  chain of 2, in this order
  ~  KIOSK    →  ${temporaryNameOfHost(plan)}  4                    line 4  temporary rename, then deleted
  ~  SPARE    →  KIOSK                       5                    line 5
  independent renames
  ~  DESKTOP  →  BER-WEB-01                  9223372036854775807  line 3

Move 1 host to no group
  >  LOOSE  6  line 6  from Berlin

Move 1 host to Berlin (group 17)
  >  DESKTOP  9223372036854775807  line 3  from no group

note: no host has the name "NOT-YET" (fleet.yaml:8:1)

Plan: 4 renames (plus 2 temporary renames), 2 moves, 1 anti-virus install, 1 deletion; 1 unchanged, 1 awaiting enrollment, 1 unmanaged.
10 API calls (the minimum possible).
`);
  });

  it('names the file of each change if there are several files', () => {
    const plan = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] });
    expect(paint({ ...plan, files: ['fleet.yaml', 'more.yaml'] })).toContain(
      '  ~  A  →  B  1  fleet.yaml:1\n',
    );
  });

  it('says in one line that there is nothing to do', () => {
    const plan = givenPlan({ entries: [{ id: 1, name: 'A' }], hosts: [{ id: 1, name: 'A' }] });
    expect(paint(plan)).toContain('No changes: the fleet matches the desired state.\n');
    expect(paint(plan)).not.toMatch(/calls?, lower bound/);
  });

  it('does not say that nothing has to be done if a plan has errors and no steps', () => {
    const plan = givenPlan({
      entries: [{ id: 1, group: 'Berlln' }],
      hosts: [{ id: 1, name: 'A' }],
      groups: { 17: 'Berlin' },
    });
    const text = paint(plan);
    expect(text).not.toContain('No changes:');
    expect(text).toContain('did you mean "Berlin"?');
    expect(text).toContain("This plan can't be applied: 1 error above.");
  });

  it('names the exact approval for a limit that is exceeded', () => {
    const hosts = Array.from({ length: 10 }, (_, index) => ({ id: index + 1, name: `H${index}` }));
    const entries = hosts.slice(0, 3).map(({ id }) => ({ id, ensure: 'absent' as const }));
    const plan = givenPlan({ entries, hosts });
    const breached: Plan = {
      ...plan,
      breaches: [{ limit: 'delete', count: 3, allowed: 1, acknowledged: true }],
    };
    expect(paint(breached)).toContain('--ack delete=3 approves more than the limit of 1 for delete.');
  });

  it('prints no control character of a host or a group', () => {
    const plan = givenPlan({
      entries: [
        { id: 1, name: 'GOOD', group: hostile },
        { id: 2, ensure: 'absent' },
        { id: 3, name: hostile },
      ],
      hosts: [
        { id: 1, name: hostile },
        { id: 2, name: `${hostile}2` },
        { id: 3, name: 'C' },
      ],
      groups: { 17: hostile },
    });
    const text = paint(plan);
    expect(text).toContain('evil␛[2J‹U+202E›␊␍␇name');
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });

  it('says the same with colors', () => {
    const plan = givenPlan({
      entries: [
        { id: 1, name: 'B' },
        { id: 2, name: 'A' },
      ],
      hosts: [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' },
      ],
    });
    const colored = paintPlan(toRows(plan), { color: ansiColor, columns: null });
    expect(colored).toContain('\u001b[');
    expect(stripVTControlCharacters(colored)).toBe(paint(plan));
  });

  it('fits table lines into 80 columns whatever the names are, with ids whole', () =>
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 90 }), {
          minLength: 2,
          maxLength: 6,
        }),
        (names) => {
          const id = (index: number) => String(9223372036854775800n + BigInt(index));
          const plan = givenPlan({
            entries: names.map((name, index) => ({ id: id(index), name: `${name}-new${index}` })),
            hosts: names.map((name, index) => ({ id: id(index), name: `${name}-old${index}` })),
          });
          const lines = paint(plan, 80)
            .split('\n')
            .filter((line) => line.startsWith('  ~'));
          expect(lines).toHaveLength(names.length);
          for (const line of lines) {
            expect(displayWidth(line)).toBeLessThanOrEqual(80);
            expect(line).toMatch(/ 922337203685477580\d/);
          }
        },
      ),
      { numRuns: 50 },
    ));

  it('counts the notes that it does not list', () => {
    const plan = givenPlan({
      entries: Array.from({ length: 30 }, (_, index) => ({ name: `NEW-${index}` })),
      hosts: [],
    });
    expect(paint(plan)).toContain('… and 20 more like this');
  });

  it('lists 150,000 renames', () => {
    const ids = Array.from({ length: 150_000 }, (_, index) => index + 1);
    const plan = givenPlan({
      entries: ids.map((id) => ({ id, name: `NEW-${id}` })),
      hosts: ids.map((id) => ({ id, name: `OLD-${id}` })),
    });
    expect(paint(plan).match(/^  ~  OLD-/gm)).toHaveLength(150_000);
  });

  it('shows a name with 200,000 blanks without reading these again for each', () => {
    const blanks = ' '.repeat(200_000);
    expect(shownName(` a${blanks}b  `)).toBe(`␠a${blanks}b␠␠`);
  });
});

function paint(plan: Plan, columns: number | null = null): string {
  return paintPlan(toRows(plan), { color: plainColor, columns });
}

function temporaryNameOfHost(plan: Plan): string {
  const temporaryRename = plan.steps.find(
    (step) => step.kind === 'temporary-rename' && step.why === 'deletion',
  );
  return temporaryRename?.kind === 'temporary-rename' ? temporaryRename.to : '';
}
