import { describe, expect, it } from 'vitest';
import { planComment } from '../../../src/forge/plan-comment.ts';
import { hostChanges, toCheck } from '../../../src/output/review/host-changes.ts';
import { defaultMarkdownLimit } from '../../../src/output/review/markdown-budget.ts';
import { nameKinds } from '../../../src/output/review/name-kinds.ts';
import { toRows } from '../../../src/output/review/rows.ts';
import { type MergedNames, mergedFleet, mergedNames } from './merged-fleet.ts';

const fleets = (Object.keys(mergedNames) as MergedNames[]).flatMap((names, at) =>
  (['both', 'names', 'groups'] as const).flatMap((change, nth) => [
    { size: 300, names, change, seed: 5 * at + nth },
    { size: at % 3 === nth ? 3_000 : 300, names, change, seed: 7 * at + nth + 2 },
  ]),
);

describe('the rows to check first of two companies that merge', () => {
  it.each(fleets)('have each mistake of %o, and few other rows', (given) => {
    const { plan, mistakes } = mergedFleet(given);
    const changes = hostChanges(toRows(plan));
    const checked = new Set([...toCheck(changes)].map(({ host_id: id }) => id));
    const missed = mistakes.filter(({ ids }) => !ids.some((id) => checked.has(id)));
    expect(missed.map(({ kind }) => kind)).toEqual([]);
    expect(checked.size).toBeLessThanOrEqual(25);
    const planted = new Set(mistakes.flatMap(({ ids }) => ids));
    const remarked = changes.filter(({ host_id: id, remarks }) => remarks.length > 0 && !planted.has(id));
    expect(remarked.length).toBeLessThanOrEqual(given.size / 50);
  });

  it("are visible in a comment that can't list all deletions", () => {
    const { plan, mistakes } = mergedFleet({
      size: 20_000,
      names: 'serials',
      change: 'both',
      seed: 7,
      deleted: 8,
    });
    const comment = planComment(plan, { key: 'default', limit: defaultMarkdownLimit, foot: [], links: {} });
    const inSight = comment.replace(/<details>[\s\S]*?<\/details>/g, '');
    const missed = mistakes.filter(({ ids }) => !ids.some((id) => inSight.includes(` ${id} `)));
    expect(missed.map(({ kind }) => kind)).toEqual([]);
    expect(comment).toMatch(/- [\d,]+ hosts of `To dispose of`, requested by `fleet.yaml`/);
    expect(comment).toMatch(/\*\*\d+ more deletions\*\*: see the plan file/);
  });
});

/** As a factory gives them. */
const serials = Array.from({ length: 20 }, (_, at) => `${at % 10}CG${1000 + 37 * at}X${at}`.slice(0, 8));

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
])('the kind of a name is %s', (_, names, kind) => expect(nameKinds(names)(names[0] as string)).toBe(kind));
