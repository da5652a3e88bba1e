import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { accountKey } from '../../../src/core/model/account.ts';
import type { HostId } from '../../../src/core/model/observed.ts';
import { inventoryCachePath } from '../../../src/service/inventory/cache-path.ts';
import {
  type InventoryFactsOptions,
  readInventoryFacts,
} from '../../../src/service/inventory/inventory-facts.ts';
import { day, givenHosts, givenPlace, type Place } from './given-harvest.ts';

const account = { companyId: '1234567890', service: 'emulator' };

/** What planning reads of a place's cache, which from then on is the account's. */
function factsOf(place: Place, options: Partial<InventoryFactsOptions> = {}) {
  const stateDir = join(dirname(place.path));
  renameSync(place.path, inventoryCachePath(stateDir, accountKey(account)));
  return readInventoryFacts({
    stateDir,
    account,
    needs: { hardware: ['ServiceTag'], system: [] },
    hosts: place.hosts,
    now: place.clock.now(),
    ...options,
  });
}

describe('the inventory that planning reads', () => {
  it('reports the age of its oldest record', async () => {
    const place = givenPlace(givenHosts(20, { without: 10 }));
    await place.harvest({ hosts: place.hosts.slice(0, 5) });
    const at = new Date(place.clock.now()).toISOString();
    await place.clock.advance(3 * day);
    await place.harvest({ maxAgeMs: 30 * day });
    const requests = place.emulator.requests.length;
    const facts = factsOf(place);
    if (!facts.ok) throw new Error(facts.problems[0]?.message);
    expect(facts.value.lists).toEqual([{ list: 'hardware-inventory', at }]);
    expect(facts.problems).toEqual([
      {
        code: 'inventory-age',
        severity: 'note',
        message: 'the oldest hardware inventory is from 3 days ago; 2 hosts have none',
      },
    ]);
    expect(facts.value.inventoryOf('hardware', place.hosts[3]!)).toMatchObject({ serviceTag: 'ST3' });
    expect(facts.value.inventoryOf('hardware', place.hosts[9]!)).toBeUndefined();
    expect(facts.value.inventoryOf('hardware', '1' as HostId)).toBeUndefined();
    expect(facts.value.inventoryOf('system', place.hosts[3]!)).toBeUndefined();
    expect(place.emulator.requests).toHaveLength(requests);
  });

  it('warns about hosts that were not fetched yet, and lists them', async () => {
    const place = givenPlace(givenHosts(5));
    await place.harvest({ hosts: place.hosts.slice(0, 3) });
    const facts = factsOf(place);
    expect(facts).toMatchObject({
      ok: true,
      problems: [
        {
          severity: 'warning',
          message: expect.stringContaining('2 hosts have not been fetched yet'),
          hint: 'rampart hosts inventory pull --hardware --fields ServiceTag',
          hostIds: place.hosts.slice(3),
        },
      ],
    });
  });

  it('is an error if it is older than allowed, and the hint is a command', async () => {
    const place = givenPlace(givenHosts(5));
    await place.harvest();
    await place.clock.advance(3 * day);
    const facts = factsOf(place, { maxAgeMs: 2 * day });
    expect(facts).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'inventory-old',
          message:
            'the hardware inventory of 5 hosts is older than --max-inventory-age allows: the oldest is 3 days old',
          hint: 'rampart hosts inventory pull --hardware --fields ServiceTag',
        },
      ],
    });
  });

  it('is an error if there is no cache, for each inventory', () => {
    const place = givenPlace([]);
    const facts = readInventoryFacts({
      stateDir: dirname(place.path),
      account,
      needs: { hardware: ['ServiceTag', 'HardwareModel'], system: ['OsType'] },
      now: 0,
    });
    expect(facts).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'inventory-missing',
          hint: 'rampart hosts inventory pull --hardware --fields ServiceTag,HardwareModel',
        },
        { code: 'inventory-missing', hint: 'rampart hosts inventory pull --system --fields OsType' },
      ],
    });
  });

  it('counts a field that was not requested as missing', async () => {
    const place = givenPlace(givenHosts(5));
    await place.harvest({ fields: { hardware: ['HardwareModel'] } });
    expect(factsOf(place)).toMatchObject({ ok: false, problems: [{ code: 'inventory-missing' }] });
  });

  it('accepts a field in either letter case', async () => {
    const place = givenPlace(givenHosts(5));
    await place.harvest({ fields: { system: ['ExternalIp'] } });
    const facts = factsOf(place, { needs: { hardware: [], system: ['ExternalIP'] } });
    expect(facts).toMatchObject({ ok: true, problems: [{ severity: 'note' }] });
  });

  it('of a fleet that has grown since the last pull is not complete', async () => {
    const place = givenPlace(givenHosts(2));
    await place.harvest();
    place.read((cache) =>
      cache.rememberNames(new Map([...place.hosts, '7' as HostId].map((id) => [id, null]))),
    );
    expect(factsOf(place, { hosts: [...place.hosts, '8' as HostId] })).toMatchObject({
      ok: true,
      problems: [{ hostIds: ['8'] }],
    });
  });

  it('is not read if nothing is needed', () => {
    const place = givenPlace([]);
    const facts = readInventoryFacts({
      stateDir: dirname(place.path),
      account,
      needs: { hardware: [], system: [] },
      now: 0,
    });
    expect(facts).toMatchObject({ ok: true, value: { lists: [] }, problems: [] });
  });
});
