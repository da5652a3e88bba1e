import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ok } from '../../../../src/core/problem/problem.ts';
import { postgresInventories } from '../../../../src/run/state/postgres/postgres-inventories.ts';
import { type GivenPglite, startPglite } from '../../../given/pglite.ts';

let pglite: GivenPglite;
beforeAll(async () => {
  pglite = await startPglite();
}, 120_000);
afterAll(() => pglite.stop());
afterEach(() => pglite.clear());

const damaged = {
  ok: false,
  problems: [
    {
      code: 'inventory-cache',
      message: 'the inventory in PGlite is damaged',
      hint: 'replace it: rampart hosts inventory pull',
    },
  ],
};

describe('the inventories in a table', () => {
  it('are compressed, and the text is returned unchanged', async () => {
    const text = 'ä\u202e'.repeat(10_000);
    expect(await pglite.state.inventories.save('a', text)).toEqual(ok(null));
    expect(await pglite.state.inventories.read('a')).toEqual(ok(text));
    const [row] = await pglite.run('select octet_length(text) as bytes from rampart.inventory');
    expect(row?.['bytes']).toBeLessThan(1_000);
  });

  it('are damaged if their bytes are not compressed text', async () => {
    await pglite.state.inventories.save('a', '{}');
    for (const bytes of ['', '\\x00', '\\x1f8b0800000000000003']) {
      await pglite.run(`update rampart.inventory set text = '${bytes}'`);
      expect(await pglite.state.inventories.read('a')).toMatchObject(damaged);
    }
  });

  it('are damaged if they are larger than the limits, compressed or not', async () => {
    await pglite.state.inventories.save('a', 'x'.repeat(10_000));
    const within = (compressed: number, text: number) =>
      postgresInventories(pglite.database, { compressed, text });
    expect(await within(1_000, 10_000).read('a')).toMatchObject({ ok: true });
    expect(await within(1_000, 9_999).read('a')).toMatchObject(damaged);
    expect(await within(10, 10_000).read('a')).toMatchObject(damaged);
  });

  it('are not saved if they are too large, and the earlier one is kept', async () => {
    const inventories = postgresInventories(pglite.database, { compressed: 40, text: 100 });
    expect(await inventories.save('a', 'x'.repeat(100))).toEqual(ok(null));
    const random = Array.from({ length: 60 }, (_, index) =>
      String.fromCharCode(48 + ((index * 37) % 75)),
    ).join('');
    for (const text of ['x'.repeat(101), random])
      expect(await inventories.save('a', text)).toMatchObject({
        ok: false,
        problems: [{ code: 'inventory-cache', message: 'the inventory is too large for PGlite' }],
      });
    expect(await inventories.read('a')).toEqual(ok('x'.repeat(100)));
  });
});
