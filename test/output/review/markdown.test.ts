import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printable } from '../../../src/core/lib/printable.ts';
import type { Plan } from '../../../src/core/plan/types/plan.ts';
import { note, problem, warning } from '../../../src/core/problem/problem.ts';
import { paintMarkdown } from '../../../src/output/review/markdown.ts';
import { defaultMarkdownLimit } from '../../../src/output/review/markdown-budget.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { casesOf } from '../../given/cases.ts';
import { hostId } from '../../given/fleet.ts';
import { hostileName, hostileNames } from '../../given/hostile-names.ts';
import { givenPlan } from '../../given/plan.ts';
import { codeTextsOf, elementsOf, proseOf, renderMarkdown } from '../../given/rendered-markdown.ts';

describe('the plan as Markdown', () => {
  it("shows the totals, what can't be undone, problems, groups, causes, then each host", () => {
    const text = paint(withProblems(everyKind('Berlin', 'DESKTOP')));
    const order = [
      '**Plan: ',
      "### Delete 1 host (can't be undone)",
      "### Install anti-virus on 1 host (can't be undone)",
      '### 1 error',
      '<summary>1 warning</summary>',
      '<summary>Hosts of 2 groups</summary>',
      '<summary>Change 4 hosts: 3 renames, 1 move</summary>',
      '<summary>1 note</summary>',
    ].map((each) => text.indexOf(each));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect(text).toContain("**This plan can't be applied: 1 error.**");
    expect(text).toContain('--> fleet.yaml:3:5');
  });

  it('lists each host once, with everything that the plan does to it', () => {
    const text = paint(everyKind('Berlin', 'DESKTOP'));
    expect(text).toContain('| `KIOSK` | 4 | no group | **online** | line 4 |');
    expect(text).toContain('| `DESKTOP` | `BER-WEB-01` | 3 | no group | `Berlin` | **online** | line 3 |');
    expect(text).toContain('| `A` | `B` | 1 | no group |  | line 1 | swaps names with another host |');
    expect(text).toContain('| `LOOSE` |  | 6 | `Berlin` | no group | line 6 |  |');
    for (const host of ['KIOSK', 'DESKTOP', 'SPARE', 'LOOSE'])
      expect(text.match(new RegExp(`^\\| \`${host}\``, 'gm'))).toHaveLength(1);
  });

  it('shows the origin of each change of a comparison, and lists what it reverts', () => {
    const plan = everyKind('Berlin', 'DESKTOP');
    const change = (id: number, kind: 'rename' | 'delete') => ({
      kind,
      hostId: hostId(id),
      name: 'KIOSK',
      to: null,
      reason: { file: 'f', line: 1, col: 1 },
    });
    const text = paint({
      ...plan,
      comparison: {
        base: 'main',
        introduced: [change(4, 'delete')],
        pending: [change(5, 'rename')],
        drift: [change(6, 'rename')],
        reverted: [change(9, 'delete')],
      },
    });
    expect(text).toContain('| **online** | line 4 | this change |');
    expect(text).toContain('| line 5 | already pending |');
    expect(text).toContain('| line 6 | drift |');
    expect(text).toContain('<summary>1 change that this change takes back</summary>');
    expect(text).toContain('| delete | `KIOSK` |  | 9 |');
  });

  it('shows the commit, and links to lines and to the whole review', () => {
    const text = paintMarkdown(toRows(everyKind('Berlin', 'DESKTOP')), {
      limit: defaultMarkdownLimit,
      commit: '0123456789abcdef0123456789abcdef01234567',
      page: 'https://forge.example/run/7',
      linkTo: ({ line }) => `https://forge.example/fleet.yaml#L${line}`,
    });
    expect(text).toContain(
      'Planned at commit `0123456789ab`. [The whole review](https://forge.example/run/7).',
    );
    expect(text).toContain('[line 4](https://forge.example/fleet.yaml#L4)');
  });

  it('says that there is nothing to do', () => {
    const plan = givenPlan({ entries: [{ id: 1, name: 'A' }], hosts: [{ id: 1, name: 'A' }] });
    expect(paint(plan)).toContain('No changes: the fleet matches the desired state.');
  });

  it('shows the file of each change if there are several files', () => {
    const plan = givenPlan({ entries: [{ id: 1, name: 'B' }], hosts: [{ id: 1, name: 'A' }] });
    const files = ['fleet.yaml', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(paint({ ...plan, files })).toContain('| `A` | `B` | 1 | no group | `fleet.yaml:1` |');
    expect(paint({ ...plan, files })).toContain('`d`, `e` and 2 more files.');
  });

  it('says what is partial and which limit is lifted', () => {
    const plan = givenPlan({ entries: [{ id: 1, ensure: 'absent' }], hosts: [{ id: 1, name: 'A' }] });
    const breach = { limit: 'delete', count: 1, allowed: 0, acknowledged: true } as const;
    const text = paint({ ...plan, partial: true, breaches: [breach] });
    expect(text).toContain('**This plan is partial: it covers only some hosts.**');
    expect(text).toContain('--ack delete=1 approves more than the limit of 0 for delete.');
  });
});

describe('hostile text in a plan', () => {
  const known = elementsOf(renderMarkdown(paint(withProblems(everyKind('Berlin', 'DESKTOP')))));
  const calm = shapeOf(renderMarkdown(paint(hostilePlan('calm'))));
  // A blank at an end of a new name has a remark.
  const calmWithBlanks = shapeOf(renderMarkdown(paint(hostilePlan(' calm '))));
  const isHarmless = (name: string) => {
    const html = renderMarkdown(paint(hostilePlan(name)));
    expect(known).toEqual(expect.arrayContaining([...elementsOf(html)]));
    expect(shapeOf(html)).toEqual(/^\s|\s$/u.test(name) ? calmWithBlanks : calm);
    const texts = codeTextsOf(html);
    expect(texts.filter((each) => each === printable(name)).length).toBeGreaterThanOrEqual(3);
    expect(texts.join('\n')).toContain(`no ${printable(name)} here`);
  };

  it.each(hostileNames)('%j stays text as name, group, file and message', isHarmless);

  it('stays text, for any text', () => fc.assert(fc.property(hostileName, isHarmless), casesOf(80)));

  it('leaves nothing in prose that a forge would turn into a link or an emoji', () => {
    for (const name of hostileNames)
      expect(proseOf(renderMarkdown(paint(hostilePlan(name))))).not.toMatch(/@|#|GH-|www|:\/\/|:tada:/);
  });

  it('shows no control and no direction-changing character', () =>
    fc.assert(
      fc.property(hostileName, (name) => {
        expect(paint(hostilePlan(name))).not.toMatch(/[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u);
      }),
    ));
});

describe('a plan that is too long', () => {
  it("is cut to the forge's limit, with every deletion in it", () => {
    const plan = sizedPlan({ deletes: 300, renames: 3000, moves: 2000, installs: 100, notes: 100 });
    const text = paint(plan);
    expect(text.length).toBeLessThanOrEqual(defaultMarkdownLimit);
    expect(text.length).toBeGreaterThan(defaultMarkdownLimit - 500);
    expect(text.match(/^\| `retired-/gm)).toHaveLength(300);
    expect(text).toMatch(/\*\*[\d,]+ more hosts\*\*: see the plan file \(`rampart show`\)/);
    expect(paint(plan, 1_000_000)).not.toContain(' more ');
  });

  it('puts deletions and errors in short form before it is longer than the limit', () => {
    const plan = sizedPlan({ deletes: 100, renames: 50, errors: 20 });
    const short = paint(plan, 7500);
    expect(short.length).toBeLessThanOrEqual(7500);
    expect(short).toContain('Errors and deletions are shortened, to fit 7500 characters.');
    expect(short.match(/^- `retired-\d+` \d+, no group, \*\*online\*\*$/gm)).toHaveLength(75);
    expect(short.match(/^\| `retired-\d+` .*\*\*online\*\*/gm)).toHaveLength(25);
    expect(short).toContain('- 75 hosts of no group, requested by `fleet.yaml`');
    expect(short.match(/^error\[name-conflict\]: .* \(fleet.yaml:\d+:1\)$/gm)).toHaveLength(20);
  });

  it('cuts errors and deletions last, and then counts what is missing', () => {
    const text = paint(sizedPlan({ deletes: 200, renames: 50, errors: 20 }), 3000);
    expect(text.length).toBeLessThanOrEqual(3000);
    expect(text).toContain('Errors and deletions are shortened and cut, to fit 3000 characters.');
    const shown = text.match(/`retired-/g)?.length ?? 0;
    expect(shown).toBeGreaterThan(24);
    expect(text).toContain(`**${200 - shown} more deletions**: see the plan file`);
    expect(text).toContain('**50 more hosts**');
  });

  it('keeps to its limit, keeps the required parts and counts what it leaves out', () => {
    const upTo = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        fc.record({
          deletes: upTo(30),
          installs: upTo(60),
          renames: upTo(60),
          moves: upTo(60),
          errors: upTo(10),
          warnings: upTo(30),
          notes: upTo(60),
        }),
        fc.integer({ min: 2000, max: 20_000 }),
        (size, limit) => {
          const text = paint(sizedPlan(size), limit);
          expect(text.length).toBeLessThanOrEqual(limit);
          const isCut = text.includes('are shortened and cut');
          for (const [mark, noun, wanted] of [
            [/`retired-/g, 'deletion', size.deletes],
            [/^error\[/gm, 'error', size.errors],
            [/^\| `bare-/gm, 'install', size.installs],
            [/^\| `(?:old|mover)-/gm, 'host', size.renames + size.moves],
            [/^warning\[/gm, 'warning', size.warnings],
            [/^note: /gm, 'note', size.notes],
          ] as const) {
            // Hosts to check and other hosts have a section each.
            const left = [...text.matchAll(new RegExp(`\\*\\*(\\d+) more ${noun}s?\\*\\*`, 'g'))]
              .map(([, count]) => Number(count))
              .reduce((sum, count) => sum + count, 0);
            if ((noun === 'deletion' || noun === 'error') && !isCut) expect(left).toBe(0);
            expect((text.match(mark) ?? []).length + left, noun).toBe(wanted);
          }
          expect(text.match(/<details/g)?.length).toBe(text.match(/<\/details>/g)?.length);
        },
      ),
      casesOf(80),
    );
  });
});

function paint(plan: Plan, limit = defaultMarkdownLimit): string {
  return paintMarkdown(toRows(plan), { limit });
}

function everyKind(group: string, name: string): Plan {
  return givenPlan({
    entries: [
      { id: 1, name: 'B' },
      { id: 2, name: 'A' },
      { id: 3, name: 'BER-WEB-01', group: { id: 17 }, antivirus: true },
      { id: 4, ensure: 'absent' },
      { id: 5, name: 'KIOSK' },
      { id: 6, group: null },
    ],
    hosts: [
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
      { id: 3, name, antivirus: 'missing' },
      { id: 4, name: 'KIOSK' },
      { id: 5, name: 'SPARE' },
      { id: 6, name: 'LOOSE', group: 17 },
    ],
    groups: { 17: group },
  });
}

function withProblems(plan: Plan, words = 'it', file = 'fleet.yaml'): Plan {
  const place = { file, line: 3, col: 5, text: `    ${words}` };
  const message = `no ${words} here`;
  return {
    ...plan,
    files: [file, 'other.yaml'],
    problems: [
      problem('name-conflict', message, { place, hint: words }),
      warning('name-differs', message, { place, hint: words }),
      note('awaiting-enrollment', message, { place, hint: words }),
    ],
  };
}

/** The text wherever a plan has room for text from outside. */
function hostilePlan(words: string): Plan {
  const plan = withProblems(everyKind('Berlin', 'DESKTOP'), words, words);
  const steps = plan.steps.map((step) => {
    if (step.kind === 'rename') return { ...step, from: words, to: words };
    if (step.kind === 'temporary-rename') return { ...step, to: words };
    const hosts = step.hosts.map((each) => ({
      ...each,
      name: words,
      reason: { ...each.reason, file: words },
    }));
    return step.kind === 'move' ? { ...step, groupName: words, hosts } : { ...step, hosts };
  });
  const account = { companyId: words, service: words };
  return { ...plan, steps, account, observed: { ...plan.observed, takenAt: words } };
}

/** The elements in order, except for adjacent code elements. */
function shapeOf(html: string): readonly string[] {
  return Array.from(html.replaceAll('</code><code>', '').matchAll(/<[^>]*>/g), ([tag]) => tag);
}

interface PlanSize {
  readonly deletes?: number;
  readonly installs?: number;
  readonly renames?: number;
  readonly moves?: number;
  readonly errors?: number;
  readonly warnings?: number;
  readonly notes?: number;
}

function sizedPlan(size: PlanSize): Plan {
  const { deletes = 0, installs = 0, renames = 0, moves = 0, errors = 0, warnings = 0, notes = 0 } = size;
  const each = <T>(length: number, make: (index: number) => T) => Array.from({ length }, (_, i) => make(i));
  const groups = [10, 11, 12, 13, 14];
  const plan = givenPlan({
    entries: [
      ...each(deletes, (i) => ({ id: 10_000 + i, ensure: 'absent' as const })),
      ...each(installs, (i) => ({ id: 20_000 + i, antivirus: true })),
      ...each(renames, (i) => ({ id: 30_000 + i, name: `new-${i}` })),
      ...each(moves, (i) => ({ id: 40_000 + i, group: { id: groups[i % 5] as number } })),
    ],
    hosts: [
      ...each(deletes, (i) => ({ id: 10_000 + i, name: `retired-${i}` })),
      ...each(installs, (i) => ({ id: 20_000 + i, name: `bare-${i}`, antivirus: 'missing' as const })),
      ...each(renames, (i) => ({ id: 30_000 + i, name: `old-${i}` })),
      ...each(moves, (i) => ({ id: 40_000 + i, name: `mover-${i}` })),
    ],
    groups: Object.fromEntries(groups.map((id) => [id, `group ${id}`])),
  });
  const place = (i: number) => ({ file: 'fleet.yaml', line: i + 1, col: 1, text: `  - name: host-${i}` });
  return {
    ...plan,
    problems: [
      ...each(errors, (i) =>
        problem('name-conflict', `host ${i} is in the way`, { place: place(i), hint: 'go' }),
      ),
      ...each(warnings, (i) => warning('name-differs', `host ${i} differs`, { place: place(i) })),
      ...each(notes, (i) => note('awaiting-enrollment', `host ${i} is not there`, { place: place(i) })),
    ],
  };
}
