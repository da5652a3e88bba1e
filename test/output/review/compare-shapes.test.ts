import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanShape, planShape } from '../../../src/core/plan/plan-shape.ts';
import { type AccountShape, compareShapes } from '../../../src/output/review/compare-shapes.ts';
import { givenPlan } from '../../given/plan.ts';

type Effect = PlanShape['effects'][number];

const renames = (hosts: number, of: string | null = 'rule "kiosk names"'): Effect => ({
  kind: 'rename',
  of,
  hosts,
  first: Array.from({ length: Math.min(hosts, 3) }, (_, at) => `PC-${at}`),
});
const deletes = (...first: string[]): Effect => ({ kind: 'delete', of: null, hosts: first.length, first });
const plan = (account: string, ...effects: Effect[]): AccountShape => ({ account, effects });
const many = (count: number, ...effects: Effect[]) =>
  Array.from({ length: count }, (_, at) => plan(`tenant-${at}`, ...effects));

describe('plans of several accounts are compared', () => {
  test.each<[string, readonly AccountShape[], string, readonly string[]]>([
    ['no plan', [], '', []],
    [
      'one plan',
      [plan('contoso', renames(3))],
      'contoso: 3 renames (rule "kiosk names"): PC-0, PC-1, PC-2',
      [],
    ],
    [
      'an account that also deletes a host',
      [...many(2, renames(3)), plan('fabrikam', renames(3), deletes('KSK-09'))],
      'tenant-0 tenant-1: 3 renames each (rule "kiosk names")',
      ['fabrikam: also 1 deletion: KSK-09'],
    ],
    [
      'an account without the changes of a rule',
      [...many(2, renames(3), deletes('OLD')), plan('fabrikam', deletes('OLD'))],
      'tenant-0 tenant-1: 1 deletion each, 3 renames each (rule "kiosk names")',
      ['fabrikam: without renames (rule "kiosk names")'],
    ],
    [
      'another rule that does the same',
      [...many(2, renames(3)), plan('fabrikam', renames(4, 'rule "other"'))],
      'tenant-0 tenant-1: 3 renames each (rule "kiosk names")',
      ['fabrikam: also 4 renames (rule "other"); without renames (rule "kiosk names")'],
    ],
    [
      'other numbers of hosts, which are no other change',
      [plan('contoso', renames(3)), plan('fabrikam', renames(1_400)), plan('adatum', renames(7))],
      'contoso fabrikam adatum: 3 to 1,400 renames, most in fabrikam (rule "kiosk names")',
      [],
    ],
    [
      'several accounts with the same difference',
      [
        ...many(3, renames(1)),
        plan('fabrikam', renames(1), deletes('A', 'B')),
        plan('adatum', renames(1), deletes('C', 'D')),
        plan('northwind', deletes('E')),
      ],
      'tenant-0 tenant-1 tenant-2: 1 rename each (rule "kiosk names")',
      [
        'northwind: also 1 deletion: E; without renames (rule "kiosk names")',
        'fabrikam adatum: also 2 deletions each',
      ],
    ],
    [
      'names that would reorder the text',
      [...many(2, renames(1)), plan('fabrikam', renames(1), deletes('A\u202eB'))],
      'tenant-0 tenant-1: 1 rename each (rule "kiosk names")',
      ['fabrikam: also 1 deletion: A‹U+202E›B'],
    ],
  ])('%s', (_, plans, usual, unusual) => {
    const compared = compareShapes(plans);
    const words = ({ accounts, text }: { accounts: readonly string[]; text: string }) =>
      `${accounts.join(' ')}: ${text}`;
    expect(compared === undefined ? '' : words(compared.usual)).toBe(usual);
    expect((compared?.unusual ?? []).map(words)).toEqual(unusual);
  });

  const effect = fc.record({
    kind: fc.constantFrom('rename' as const, 'move' as const, 'delete' as const),
    of: fc.constantFrom(null, 'rule "a"', 'rule "b"'),
  });
  const effects = fc
    .uniqueArray(fc.tuple(effect, fc.integer({ min: 1, max: 9 })), {
      selector: ([each]) => JSON.stringify(each),
      maxLength: 4,
    })
    .map((all) => all.map(([each, hosts]): Effect => ({ ...each, hosts, first: ['H'] })));

  test('every account has the usual changes, or is in one row with its difference', () =>
    fc.assert(
      fc.property(fc.array(effects, { minLength: 1, maxLength: 12 }), (all) => {
        const plans = all.map((each, at) => plan(`a${at}`, ...each));
        const { usual, unusual } = compareShapes(plans) ?? { usual: { accounts: [] }, unusual: [] };
        const rows = [usual, ...unusual];
        expect(rows.flatMap(({ accounts }) => accounts).toSorted()).toEqual(
          plans.map(({ account }) => account).toSorted(),
        );
        const kindsOf = (account: string) =>
          new Set(
            plans.find((each) => each.account === account)?.effects.map(({ kind, of }) => `${kind} ${of}`),
          );
        const [first = ''] = usual.accounts;
        for (const { accounts } of rows) {
          expect(accounts.length).toBeLessThanOrEqual(usual.accounts.length);
          for (const account of accounts) expect(kindsOf(account)).toEqual(kindsOf(accounts[0] ?? ''));
        }
        for (const { accounts, text } of unusual) {
          expect(text).toMatch(/^(also|without) /);
          const [own, of] = [kindsOf(accounts[0] ?? ''), kindsOf(first)];
          expect(text.includes('also ')).toBe([...own].some((each) => !of.has(each)));
          expect(text.includes('without ')).toBe([...of].some((each) => !own.has(each)));
        }
      }),
    ));
});

describe('what a plan changes', () => {
  test('is its effects by kind, by rule and by group, each with its first hosts', () => {
    const { effects } = planShape(
      givenPlan({
        entries: [
          { id: '1', name: 'B' },
          { id: '2', name: 'A' },
          { id: '3', group: 'Kiosks' },
          { id: '4', group: 'Kiosks' },
          { name: 'OLD', ensure: 'absent' },
        ],
        hosts: [
          { id: '1', name: 'A' },
          { id: '2', name: 'B' },
          { id: '3', name: 'C' },
          { id: '4', name: 'D' },
          { id: '5', name: 'OLD' },
        ],
        groups: { 7: 'Kiosks' },
      }),
    );
    expect(effects).toEqual([
      { kind: 'delete', of: null, hosts: 1, first: ['OLD'] },
      { kind: 'rename', of: null, hosts: 2, first: ['B', 'A'] },
      { kind: 'move', of: 'to Kiosks', hosts: 2, first: ['C', 'D'] },
    ]);
  });

  test('is small, however many hosts and groups the plan has', () => {
    const ids = Array.from({ length: 400 }, (_, at) => String(at + 1));
    const groups = Object.fromEntries(ids.map((id) => [`9${id}`, `group ${id}`]));
    const { effects } = planShape(
      givenPlan({
        entries: ids.map((id) => ({ id, group: `group ${id}` })),
        hosts: ids.map((id) => ({ id, name: `PC-${id}` })),
        groups,
      }),
    );
    expect(effects).toHaveLength(21);
    expect(effects.at(-1)).toMatchObject({ of: 'other rules and groups', hosts: 380 });
    expect(effects.reduce((sum, { hosts }) => sum + hosts, 0)).toBe(400);
  });
});
