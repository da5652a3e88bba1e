import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitIntoWaves, type WaveAccount } from '../../../src/accounts/rollouts/split-waves.ts';

const plain = (count: number): WaveAccount[] =>
  Array.from({ length: count }, (_, at) => ({ name: `a${String(at).padStart(4, '0')}`, labels: {} }));

const accountsArb = fc.uniqueArray(
  fc.record({
    name: fc.string({ minLength: 1, maxLength: 6 }),
    labels: fc.oneof(fc.constant({}), fc.record({ region: fc.constantFrom('eu', 'us', 'ap') })),
  }),
  { selector: ({ name }) => name, maxLength: 60 },
);
const sharesArb = fc
  .uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 4 })
  .map((shares) => [...shares.toSorted((a, b) => a - b), 100]);

describe('waves of a rollout', () => {
  it('begin with the canaries, then take each share of the others', () => {
    const waves = splitIntoWaves(plain(12), { canaries: new Set(['a0003', 'a0007']), shares: [10, 50, 100] });
    expect(waves.map(({ name, is_canary, accounts }) => [name, is_canary, accounts.length])).toEqual([
      ['canary', true, 2],
      ['10%', false, 1],
      ['50%', false, 4],
      ['100%', false, 5],
    ]);
    expect(waves[0]?.accounts).toEqual(['a0003', 'a0007']);
  });
  it('take one failure domain after another within each share', () => {
    const accounts = ['eu', 'us'].flatMap((region) =>
      [1, 2, 3, 4].map((each) => ({ name: `${region}${each}`, labels: { region } })),
    );
    const waves = splitIntoWaves([...accounts, { name: 'x', labels: {} }], {
      canaries: new Set(['us4']),
      shares: [50, 100],
      by: 'region',
    });
    expect(waves.map(({ name, accounts: names }) => `${name}: ${names.join(' ')}`)).toEqual([
      'canary of us: us4',
      '50% without region: x',
      '50% of eu: eu1 eu2',
      '50% of us: us1 us2',
      '100% of eu: eu3 eu4',
      '100% of us: us3',
    ]);
  });
  it('contain exactly the accounts of a share, without rounding errors', () => {
    const [first] = splitIntoWaves(plain(1000), { canaries: new Set(), shares: [0.1, 100] });
    expect(first?.accounts).toHaveLength(1);
  });
  it('contain every account exactly once, canaries first, and never mix domains', () =>
    fc.assert(
      fc.property(
        accountsArb,
        sharesArb,
        fc.boolean(),
        fc.infiniteStream(fc.boolean()),
        (accounts, shares, by, coin) => {
          const canaries = new Set(accounts.filter(() => coin.next().value === true).map(({ name }) => name));
          const waves = splitIntoWaves(accounts, { canaries, shares, ...(by ? { by: 'region' } : {}) });
          const names = waves.flatMap((wave) => wave.accounts);
          expect(names.toSorted()).toEqual(accounts.map(({ name }) => name).toSorted());
          const kinds = waves.map(({ is_canary }) => is_canary);
          expect(kinds).toEqual(kinds.toSorted((a, b) => Number(b) - Number(a)));
          for (const wave of waves) {
            expect(wave.accounts.length).toBeGreaterThan(0);
            expect(wave.accounts.every((name) => canaries.has(name) === wave.is_canary)).toBe(true);
            const regions = accounts
              .filter(({ name }) => wave.accounts.includes(name))
              .map(({ labels }) => ('region' in labels ? labels.region : undefined));
            if (by) expect(new Set(regions).size).toBe(1);
          }
        },
      ),
    ));
  it('depend on names and labels only', () =>
    fc.assert(
      fc.property(accountsArb, sharesArb, (accounts, shares) => {
        const rules = { canaries: new Set<string>(), shares, by: 'region' };
        expect(splitIntoWaves(accounts.toReversed(), rules)).toEqual(splitIntoWaves(accounts, rules));
      }),
    ));
  it('have reached each share of the accounts when they end', () =>
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2000 }), sharesArb, (count, shares) => {
        const waves = splitIntoWaves(plain(count), { canaries: new Set(), shares });
        let reached = 0;
        for (const { name, accounts } of waves) {
          reached += accounts.length;
          const share = Number(name.slice(0, -1));
          expect(reached).toBeGreaterThanOrEqual((share * count) / 100);
          expect(reached - 1).toBeLessThan((share * count) / 100);
        }
        expect(reached).toBe(count);
      }),
    ));
});
