import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/core/model/account.ts';
import { inventoryCachePath } from '../../../src/service/inventory/cache-path.ts';
import { readCache, withCache } from '../../../src/service/inventory/with-cache.ts';
import { givenHosts, givenPlace } from './given-harvest.ts';

const account = { companyId: '1234567890', service: 'https://service.example' };

it('if the cache is depends on the account, and does not reveal it', () => {
  const path = inventoryCachePath('state', accountKey(account));
  expect(path).toMatch(/^state.inventory-[0-9a-f]{16}\.sqlite$/);
  expect(inventoryCachePath('state', accountKey({ ...account, companyId: '7' }))).not.toBe(path);
  expect(inventoryCachePath('state', accountKey({ ...account, service: 'emulator' }))).not.toBe(path);
});

describe('the file', () => {
  it('is for its owner only, and a single file when nothing uses it', async () => {
    const { path, harvest } = givenPlace(givenHosts(3));
    await harvest();
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(dirname(path))).toEqual(['inventory.sqlite']);
  });

  it('has no secrets in it', async () => {
    const { path, emulator, harvest } = givenPlace(givenHosts(3));
    await harvest();
    const text = readFileSync(path, 'latin1');
    expect(text).toContain('ST0');
    const { companyId, psk } = emulator.credentials;
    const basic = Buffer.from(`${companyId}:${psk}`).toString('base64');
    for (const secret of [psk, basic]) expect(text).not.toContain(secret);
  });

  it('keeps integers beyond 2^53 exact', async () => {
    const id = '9223372036854775807';
    const record = { serviceTag: 'X', motherboard: { id: '9007199254740993' } };
    const place = givenPlace([{ id, inventory: { hardware: record } }]);
    await place.harvest();
    const stored = place.read((cache) => cache.record('hardware', place.hosts[0]!));
    expect(JSON.parse(stored?.json ?? '')).toEqual({ hostId: id, ...record });
  });

  it('is not created by reading', () => {
    const { path } = givenPlace([]);
    expect(readCache(path, () => 1)).toEqual({ ok: true, value: undefined, problems: [] });
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it.each([
    ['no database', 'not a database at all, and longer than a header of one would be: '.repeat(20)],
    ['cut off', undefined],
  ])('that is %s is reported with a hint', async (_, text) => {
    const { path, harvest } = givenPlace(givenHosts(40));
    await harvest();
    const whole = readFileSync(path);
    writeFileSync(path, text ?? whole.subarray(0, 5000));
    const read = readCache(path, (cache) => cache.records('hardware').length);
    expect(read).toMatchObject({
      ok: false,
      problems: [{ code: 'inventory-cache', hint: `delete ${path}, then run: rampart hosts inventory pull` }],
    });
    expect((await withCache(path, async (cache) => cache.records('hardware').length)).ok).toBe(false);
  });

  it('of a newer version is left unchanged', async () => {
    const { path, harvest } = givenPlace(givenHosts(1));
    await harvest();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA user_version = 3');
    database.close();
    const before = readFileSync(path);
    const read = readCache(path, () => 1);
    expect(read).toMatchObject({ ok: false, problems: [{ code: 'inventory-cache' }] });
    expect(read.problems[0]?.message).toContain('has version 3; this version of Rampart reads 1');
    expect(readFileSync(path)).toEqual(before);
  });

  it("in a folder that can't be created is a problem", async () => {
    const { path } = givenPlace([]);
    writeFileSync(path, '');
    const below = await withCache(`${path}/below/inventory.sqlite`, async () => 1);
    expect(below).toMatchObject({ ok: false, problems: [{ code: 'inventory-cache' }] });
  });

  it('forgets deleted hosts, once their inventory is old', async () => {
    const place = givenPlace(givenHosts(3));
    await place.harvest();
    const [a, b, c] = place.hosts;
    const at = place.clock.now();
    const names = new Map([
      [a!, 'A'],
      [b!, null],
    ]);
    place.read((cache) => {
      cache.rememberNames(names);
      cache.forgetOthers(names, at - 10_000);
    });
    expect(place.read((cache) => [...cache.states('hardware').keys()])).toEqual([a, b, c]);
    place.read((cache) => cache.forgetOthers(names, at));
    expect(place.read((cache) => [...cache.states('hardware').keys()])).toEqual([a, b]);
    expect(place.read((cache) => cache.names())).toEqual(names);
  });
});
