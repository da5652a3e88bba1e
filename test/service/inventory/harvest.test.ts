import { describe, expect, it } from 'vitest';
import type { InventoryKind } from '../../../src/core/model/facts.ts';
import type { HarvestEvent } from '../../../src/service/inventory/harvest-event.ts';
import type { InventoryCache } from '../../../src/service/inventory/inventory-cache.ts';
import { cacheTime, day, givenHosts, givenPlace, minute } from './given-harvest.ts';

const known = (cache: InventoryCache, kind: InventoryKind = 'hardware') =>
  cache.records(kind).filter(({ isAbsent }) => !isAbsent);
const absent = (cache: InventoryCache, kind: InventoryKind = 'hardware') =>
  cache.records(kind).filter(({ isAbsent }) => isAbsent);

describe('a thousand hosts under realistic limits', () => {
  // Every tenth host has no inventory. The first report of fifty hosts shows 45 and does not show which have none.
  it.each([
    ['pages-of-50', 1, 1 * minute],
    ['50-in-all', 21, 21 * minute],
  ] as const)('are fetched to the last host if a report shows %s', async (reportHosts, reports, atMostMs) => {
    const place = givenPlace(givenHosts(1000, { without: 10 }), { switches: { reportHosts } });
    const done = await place.harvest({ fields: { hardware: null, system: null } });
    for (const kind of ['hardware', 'system'] as const) {
      expect(place.reports(kind)).toHaveLength(reports);
      expect(place.read((cache) => known(cache, kind).length)).toBe(900);
      expect(place.read((cache) => absent(cache, kind).length)).toBe(100);
    }
    expect(done).toMatchObject(
      ['hardware', 'system'].map((kind) => ({
        kind,
        of: 1000,
        fetched: 900,
        absent: 100,
        left: 0,
        reports,
        refused: [],
        problems: [],
      })),
    );
    expect(place.statuses('createHardwareReport').every((status) => status === 201)).toBe(true);
    expect(place.clock.now() - cacheTime).toBeLessThan(atMostMs);
    const [last] = place.hosts.slice(-2);
    expect(JSON.parse(place.read((cache) => cache.record('hardware', last!)?.json) ?? '')).toMatchObject({
      hostId: last,
      serviceTag: 'ST998',
    });
  });

  it('take the fewest reports once the number of hosts in a report is known', async () => {
    const place = givenPlace(givenHosts(1000, { without: 10 }), { switches: { reportHosts: '50-in-all' } });
    await place.harvest();
    const before = place.reports().length;
    await place.clock.advance(2 * minute);
    const [again] = await place.harvest({ maxAgeMs: 0 });
    expect(again).toMatchObject({ of: 1000, fetched: 900, absent: 100, reports: 20 });
    expect(place.reports().slice(before)).toHaveLength(20);
    expect(
      place
        .reports()
        .slice(before)
        .every(({ hosts }) => hosts.length === 50),
    ).toBe(true);
  });

  it('shows its progress, and when it will be done', async () => {
    const place = givenPlace(givenHosts(300), { switches: { reportHosts: '50-in-all' } });
    const events: HarvestEvent[] = [];
    await place.harvest({ onEvent: (event) => events.push(event) });
    expect(events[0]).toMatchObject({ type: 'started', of: 300, fresh: 0, etaMs: null });
    expect(events).toContainEqual({ type: 'learned', kind: 'hardware', hostsPerReport: 50 });
    const pages = events.flatMap((event) => (event.type === 'page' ? [event] : []));
    expect(pages.map(({ fetched, left }) => [fetched, left])).toEqual(
      [50, 100, 150, 200, 250, 300].map((fetched) => [fetched, 300 - fetched]),
    );
    expect(pages.slice(1).map(({ etaMs }) => Math.round((etaMs ?? 0) / minute))).toEqual([4, 3, 2, 1, 0]);
    expect(events.at(-1)).toMatchObject({ type: 'ended', fetched: 300, left: 0, etaMs: 0 });
  });
});

describe('the requested hosts', () => {
  it('are those never requested first, then those with the oldest inventory', async () => {
    const place = givenPlace(givenHosts(6));
    const [a, b, c, d, e, f] = place.hosts;
    await place.harvest({ hosts: [c!] });
    await place.clock.advance(minute);
    await place.harvest({ hosts: [a!, b!] });
    await place.clock.advance(2 * day);
    await place.harvest({ hosts: [d!] });
    await place.clock.advance(minute);
    const [done] = await place.harvest();
    expect(done).toMatchObject({ of: 5, fresh: 1, fetched: 5 });
    expect(place.reports().at(-1)?.hosts).toEqual([e, f, c, a, b]);
  });

  it('are skipped while they are fresh, including those without inventory', async () => {
    const place = givenPlace(givenHosts(20, { without: 10 }));
    await place.harvest();
    await place.clock.advance(day - 2 * minute);
    expect(await place.harvest()).toMatchObject([{ of: 0, fresh: 20, reports: 0 }]);
    expect(place.reports()).toHaveLength(1);
    await place.clock.advance(3 * minute);
    expect(await place.harvest()).toMatchObject([{ of: 20, fetched: 18, absent: 2, reports: 1 }]);
  });

  it('are requested only for the needed fields', async () => {
    const place = givenPlace(givenHosts(2));
    await place.harvest({ fields: { hardware: ['ServiceTag'] } });
    expect(place.reports()[0]?.fields).toEqual(['ServiceTag']);
    expect(place.read((cache) => known(cache)[0])).toMatchObject({
      fields: ['ServiceTag'],
      json: `{"hostId":"${place.hosts[0]}","serviceTag":"ST0"}`,
    });
  });

  it('are requested again for a missing field, and fresh values are not lost', async () => {
    const place = givenPlace(givenHosts(2));
    await place.harvest({ fields: { hardware: ['ServiceTag'] } });
    await place.clock.advance(minute);
    await place.harvest({ fields: { hardware: ['HardwareModel'] } });
    expect(place.reports()[1]?.fields).toEqual(['HardwareModel', 'ServiceTag']);
    await place.clock.advance(2 * day);
    await place.harvest({ fields: { hardware: ['HardwareModel'] } });
    expect(place.reports()[2]?.fields).toEqual(['HardwareModel']);
  });

  it('are requested for no field that the service does not have', async () => {
    const place = givenPlace(givenHosts(200));
    const [done] = await place.harvest({ fields: { hardware: ['ServiceTag', 'ServiceTga'] } });
    expect(done).toMatchObject({
      left: 200,
      refused: [],
      problems: [{ code: 'usage', hint: 'did you mean "ServiceTag"?' }],
    });
    expect(place.statuses('createHardwareReport')).toEqual([400]);
  });

  it('that the service does not know are reported, and the others are fetched', async () => {
    const place = givenPlace(givenHosts(100));
    const gone = place.hosts[70]!;
    place.emulator.edit({ kind: 'delete', id: gone });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ fetched: 99, left: 0, refused: [gone] });
    expect(done?.problems).toMatchObject([{ code: 'missing-host', severity: 'warning', hostIds: [gone] }]);
    expect(place.read((cache) => known(cache).length)).toBe(99);
  });

  it('that are refused, two of 200, cost few requests', async () => {
    const place = givenPlace(givenHosts(200), { switches: { badIdsNamed: false } });
    const gone = [place.hosts[13]!, place.hosts[150]!];
    for (const id of gone) place.emulator.edit({ kind: 'delete', id });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ fetched: 198, left: 0 });
    expect(done?.refused.toSorted()).toEqual(gone.toSorted());
    expect(place.statuses('createHardwareReport').filter((status) => status !== 429).length).toBeLessThan(22);
  });

  it('that disappear while their report is read are not waited for', async () => {
    const place = givenPlace(givenHosts(60), {
      hooks: {
        afterEach: ({ action }) => {
          if (action === 'createHardwareReport')
            place.emulator.edit({ kind: 'delete', id: place.hosts[55]! });
        },
      },
    });
    expect(await place.harvest()).toMatchObject([{ fetched: 59, absent: 1, left: 0 }]);
  });

  it.each(['400', '413'] as const)('are fewer if the service answers %s to many', async (tooLarge) => {
    const place = givenPlace(givenHosts(300), { switches: { maxBatch: 130, tooLarge } });
    expect(await place.harvest()).toMatchObject([{ fetched: 300, left: 0, refused: [] }]);
    const before = place.statuses('createHardwareReport').length;
    await place.clock.advance(2 * day);
    expect(await place.harvest()).toMatchObject([{ fetched: 300, left: 0 }]);
    const again = place.statuses('createHardwareReport').slice(before);
    expect(again.filter((status) => status !== 201 && status !== 429)).toEqual([]);
  });
});
