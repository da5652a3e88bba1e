import { describe, expect, it } from 'vitest';
import { planComment } from '../../../src/forge/plan-comment.ts';
import { hostChanges, toCheck } from '../../../src/output/review/host-changes.ts';
import { defaultMarkdownLimit } from '../../../src/output/review/markdown-budget.ts';
import { nameKinds } from '../../../src/output/review/name-kinds.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { type MergedNames, mergedFleet, mergedNames } from './merged-fleet.ts';
import { mistakenFleet } from './mistaken-fleet.ts';
import { peopledFleet } from './peopled-fleet.ts';
import type { PlantedPlan } from './planted-plan.ts';
import { type RelocatedFleet, relocatedFleet } from './relocated-fleet.ts';

const kinds = [
  ['numbers', 'kiosks'],
  ['hexadecimal', 'kiosks'],
  ['letters and digits', 'sites'],
  ['hexadecimal', 'sites'],
  ['numbers', 'sites'],
  ['letters and digits', 'moves'],
] as const;
const cases = [300, 300, 3_000].flatMap((size, round) =>
  kinds.map(([names, program], at) => ({
    size,
    names,
    program,
    retired: 17 + 8 * round,
    first: at * 3 + round,
  })),
);

describe('the rows to check first', () => {
  it.each(cases)('include all ten mistakes of %o, and few other rows', (given) => {
    const { plan, mistakes } = mistakenFleet(given);
    const changes = hostChanges(toRows(plan));
    const checked = [...toCheck(changes)].map(({ hostId }) => String(hostId));
    expect(mistakes.filter((id) => !checked.includes(id))).toEqual([]);
    expect(checked.length).toBeLessThanOrEqual(25);
    const remarked = changes.filter(
      ({ hostId, remarks }) => remarks.length > 0 && !mistakes.includes(hostId),
    );
    expect(remarked.length).toBeLessThanOrEqual(given.size / 50);
  });

  it("are visible in a comment that can't list all deletions", () => {
    const given = { size: 30_000, names: 'hexadecimal', program: 'kiosks', retired: 14, first: 0 } as const;
    const { plan, mistakes } = mistakenFleet(given);
    const comment = planComment(plan, { key: 'default', limit: defaultMarkdownLimit, foot: [], links: {} });
    const inSight = comment.replace(/<details>[\s\S]*?<\/details>/g, '');
    expect(mistakes.filter((id) => !inSight.includes(` ${id} `))).toEqual([]);
    expect(comment).toContain('- 2,142 hosts of `Retired`, requested by `fleet.yaml`');
    expect(comment).toMatch(/\*\*\d+ more deletions\*\*: see the plan file/);
  });
});

const schemes = ['serials', 'umlauts', 'cities', 'codes', 'factory', 'rooms', 'vendors'] as const;
const relocations: readonly RelocatedFleet[] = schemes.flatMap((scheme, at) =>
  (['both', 'names', 'groups'] as const).flatMap((change, nth) => [
    ...[1, 2, 3].map((round) => ({ size: 300, scheme, change, seed: 10 * at + 3 * nth + round })),
    { size: 3_000, scheme, change, seed: at + nth },
  ]),
);

/** Each mistake is among the rows to check, which are few, and few other hosts have a remark. */
function expectFound({ plan, mistakes }: PlantedPlan, size: number): void {
  const changes = hostChanges(toRows(plan));
  const checked = new Set([...toCheck(changes)].map(({ hostId }) => String(hostId)));
  const missed = mistakes.filter(({ ids }) => !ids.some((id) => checked.has(id)));
  expect(missed.map(({ kind }) => kind)).toEqual([]);
  expect(checked.size).toBeLessThanOrEqual(25);
  const planted = new Set(mistakes.flatMap(({ ids }) => ids));
  const remarked = changes.filter(
    ({ hostId, remarks }) => remarks.length > 0 && !planted.has(String(hostId)),
  );
  expect(remarked.length).toBeLessThanOrEqual(size / 50);
}

const ownNames = ['owners', 'logins', 'rooms', 'assets', 'two schemes'] as const;

describe('the rows to check first of departments that move', () => {
  it.each(
    ownNames.flatMap((names, at) =>
      (['both', 'names', 'groups'] as const).map((change, nth) => ({
        size: 300,
        names,
        change,
        seed: 7 * at + nth,
      })),
    ),
  )('include each mistake of %o, and few other rows', (given) => {
    expectFound(peopledFleet(given), given.size);
  });
});

describe('the rows to check first of two companies that merge', () => {
  it.each(
    (Object.keys(mergedNames) as MergedNames[]).flatMap((names, at) =>
      (['both', 'names', 'groups'] as const).map((change, nth) => ({
        size: 300,
        names,
        change,
        seed: 5 * at + nth,
      })),
    ),
  )('have each mistake of %o, and few other rows', (given) => {
    expectFound(mergedFleet(given), given.size);
  });
});

describe('the rows to check first of sites that move', () => {
  it.each(relocations)('include each mistake of %o, and few other rows', (given) => {
    expectFound(relocatedFleet(given), given.size);
  });

  it('are visible in a comment on 30,000 hosts', () => {
    const { plan, mistakes } = relocatedFleet({ size: 30_000, scheme: 'serials', change: 'both', seed: 7 });
    const comment = planComment(plan, { key: 'default', limit: defaultMarkdownLimit, foot: [], links: {} });
    const inSight = comment.replace(/<details>[\s\S]*?<\/details>/g, '');
    const missed = mistakes.filter(({ ids }) => !ids.some((id) => inSight.includes(` ${id} `)));
    expect(missed.map(({ kind }) => kind)).toEqual([]);
  });
});

/** As a factory gives them. */
const serials = Array.from({ length: 20 }, (_, at) => `${at % 10}CG${1000 + 37 * at}X${at}`.slice(0, 8));

describe('the kind of a name', () => {
  it.each([
    ['its words without what only counts', ['LT-01', 'LT-02', 'LT-03', 'LT-04', 'LT-05'], '-lt-#'],
    ['its letters before a number', ['LT01', 'LT02', 'LT03', 'LT04', 'LT05'], '-lt#'],
    ['open in a word that varies', ['PC-C0FA', 'PC-DEAF', 'PC-1234', 'PC-A1', 'PC-0B2C'], '-pc-*'],
    [
      'known by what its last digits only count',
      ['BER2LT1', 'BER2LT2', 'BER2LT3', 'BER2LT4', 'BER2LT5'],
      '-ber2lt#',
    ],
    ['odd if nearly all others have another length', ['DC05', ...serials], '-?'],
    ['open in a word that few names have', ['NAS-1', 'LT-2', 'LT-3', 'LT-4', 'LT-5'], '-*-#'],
  ])('is %s', (_, names, kind) => {
    expect(nameKinds(names)(names[0] as string)).toBe(kind);
  });
});
