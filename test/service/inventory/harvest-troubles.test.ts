import { describe, expect, it } from 'vitest';
import { createReport } from '../../../src/service/client/report.ts';
import type { EmulatorOptions } from '../../../src/service/emulator/emulator.ts';
import type { HarvestEvent } from '../../../src/service/inventory/harvest-event.ts';
import type { InventoryCache } from '../../../src/service/inventory/inventory-cache.ts';
import { cacheTime, day, givenHosts, givenPlace, minute } from './given-harvest.ts';

const knownHosts = (cache: InventoryCache) =>
  cache.records('hardware').filter(({ isAbsent }) => !isAbsent).length;

/** The n-th response of an action never comes, as if the waiting process had been killed. */
function hangingAt(action: string, nth: number): Partial<EmulatorOptions> {
  return {
    hooks: {
      afterEach: (call) =>
        call.action === action && call.nth === nth ? new Promise<void>(() => {}) : undefined,
    },
  };
}

describe('a harvest that was killed', () => {
  it('between two pages keeps what had arrived, and the next harvest reads the rest of the same report', async () => {
    const place = givenPlace(givenHosts(300, { without: 10 }), hangingAt('readHardwareReport', 4));
    void place.harvest();
    await place.clock.advance(1000);
    expect(place.read(knownHosts)).toBe(135);

    const events: HarvestEvent[] = [];
    const [done] = await place.harvest({ onEvent: (event) => events.push(event) });
    expect(events).toContainEqual({ type: 'resumed', kind: 'hardware', hosts: 300 });
    // The page in flight is lost, and no host is treated as one without inventory because of it.
    expect(place.read(knownHosts)).toBe(270);
    expect(done).toMatchObject({ left: 0, absent: 30, reports: 1 });
    expect(place.reports().map(({ hosts }) => hosts.length)).toEqual([300, 75]);
    expect(place.statuses('createHardwareReport')).toEqual([201, 201]);
  });

  it('is not waited for if its process is dead', async () => {
    const place = givenPlace(givenHosts(120), hangingAt('readHardwareReport', 2));
    const isAlive = (holder: string) => holder !== 'dead';
    void place.harvest({ holder: { self: 'dead', isAlive } });
    await place.clock.advance(1000);
    const events: HarvestEvent[] = [];
    const before = place.clock.now();
    void place.harvest({ holder: { self: 'next', isAlive }, onEvent: (event) => events.push(event) });
    await place.clock.advance(500);
    expect(place.clock.now() - before).toBeLessThan(1_000);
    expect(events).toContainEqual({ type: 'resumed', kind: 'hardware', hosts: 120 });
    expect(events).not.toContainEqual(expect.objectContaining({ reason: 'other-report' }));
  });

  it('while it created its report is continued once the lease has expired', async () => {
    const place = givenPlace(givenHosts(120), hangingAt('createHardwareReport', 1));
    void place.harvest();
    await place.clock.advance(1000);
    expect(await place.harvest()).toMatchObject([{ fetched: 120, left: 0, reports: 1 }]);
    expect(place.clock.now() - cacheTime).toBeGreaterThanOrEqual(minute);
  });

  it('long ago leaves nothing that blocks the next one', async () => {
    const place = givenPlace(givenHosts(120), hangingAt('readHardwareReport', 2));
    void place.harvest();
    await place.clock.advance(2 * minute);
    const calls = place.statuses('readHardwareReport').length;
    expect(await place.harvest()).toMatchObject([{ of: 70, fetched: 70, left: 0 }]);
    expect(place.statuses('readHardwareReport').slice(calls)).toEqual([200, 200]);
  });

  describe.each(['pages-of-50', '50-in-all'] as const)('if a report shows %s', (reportHosts) => {
    for (const isSent of [true, false]) {
      it.each([...Array(10).keys()])(
        `${isSent ? 'after' : 'before'} its call %i loses no host`,
        async (hangAt) => {
          const place = givenPlace(givenHosts(180, { without: 18 }), { switches: { reportHosts } });
          void place.harvest({ client: place.client({ hangAt, isSent }) });
          await place.clock.advance(10 * minute);
          await place.harvest();
          expect(place.read(knownHosts)).toBe(170);
          expect(place.read((cache) => cache.states('hardware').size)).toBe(180);
        },
      );
    }
  });
});

describe('a report of someone else', () => {
  it('is waited for, and none of its pages is read', async () => {
    const place = givenPlace(givenHosts(60));
    await createReport(place.client(), 'hardware', { hostIds: place.hosts.slice(0, 2) });
    await place.clock.advance(10_000);
    const events: HarvestEvent[] = [];
    expect(await place.harvest({ onEvent: (event) => events.push(event) })).toMatchObject([{ fetched: 60 }]);
    expect(events).toContainEqual({ type: 'waiting', kind: 'hardware', ms: 50_000, reason: 'other-report' });
    expect(place.statuses('createHardwareReport')).toEqual([201, 429, 201]);
    expect(place.statuses('readHardwareToken')).toEqual([200]);
    expect(place.statuses('readHardwareReport')).toEqual([200, 200]);
  });

  it('that exists longer than the allowed wait is reported', async () => {
    const place = givenPlace(givenHosts(3), { switches: { reportTokenLifeMs: 600_000 } });
    await createReport(place.client(), 'hardware', { hostIds: place.hosts });
    const [done] = await place.harvest({ maxWaitMs: minute });
    expect(done).toMatchObject({ left: 3, problems: [{ code: 'rate-limited' }] });
    expect(place.clock.now()).toBe(cacheTime);
  });

  it('does not block the other inventory', async () => {
    const place = givenPlace(givenHosts(3), { switches: { reportTokenLifeMs: 600_000 } });
    await createReport(place.client(), 'hardware', { hostIds: place.hosts });
    const done = await place.harvest({ fields: { hardware: null, system: null }, maxWaitMs: minute });
    expect(done).toMatchObject([{ left: 3 }, { fetched: 3, left: 0, problems: [] }]);
  });
});

describe('two harvests at once', () => {
  it('with one cache share the work, and lose no host', async () => {
    const place = givenPlace(givenHosts(400, { without: 8 }), { switches: { reportHosts: '50-in-all' } });
    const [[first], [second]] = await Promise.all([place.harvest(), place.harvest()]);
    expect([first?.left, second?.left]).toEqual([0, 0]);
    expect(place.read(knownHosts)).toBe(350);
    expect(place.read((cache) => cache.states('hardware').size)).toBe(400);
    // Alone it takes nine reports: one to learn, and then one for each fifty that are left.
    expect(place.reports().length).toBeLessThanOrEqual(10);
  });

  it('with separate caches take turns, and lose no host', async () => {
    const place = givenPlace(givenHosts(130, { without: 13 }));
    const other = givenPlace([]);
    const options = { client: place.client(), clock: place.clock, hosts: place.hosts };
    const all = await Promise.all([place.harvest(), other.harvest(options)]);
    expect(all.flat()).toMatchObject([
      { fetched: 120, absent: 10, left: 0 },
      { fetched: 120, absent: 10, left: 0 },
    ]);
    expect(other.read(knownHosts)).toBe(120);
  });
});

describe('the service', () => {
  it('can take some seconds to prepare a report', async () => {
    const place = givenPlace(givenHosts(60, { without: 10 }), { switches: { reportReadyAfterMs: 8_000 } });
    expect(await place.harvest()).toMatchObject([{ fetched: 54, absent: 6, reports: 1 }]);
    expect(place.statuses('readHardwareReport').filter((status) => status === 404).length).toBeGreaterThan(1);
  });

  describe.each(['pages-of-50', '50-in-all'] as const)('if a report shows %s', (reportHosts) => {
    it.each([1, 2, 3, 10])('can send %i empty pages while a report is not ready', async (emptyAtFirst) => {
      const place = givenPlace(givenHosts(120, { without: 12 }), { switches: { reportHosts } });
      const [done] = await place.harvest({ client: place.client({ emptyAtFirst }) });
      expect(done).toMatchObject({ fetched: 110, absent: 10, left: 0, problems: [] });
      expect(place.read(knownHosts)).toBe(110);
    });

    it('can do so for hosts without inventory, and a second report confirms that they have none', async () => {
      const place = givenPlace(givenHosts(60, { without: 1 }), { switches: { reportHosts } });
      const [done] = await place.harvest({ client: place.client({ emptyAtFirst: 4 }) });
      expect(done).toMatchObject({ fetched: 0, absent: 60, left: 0, problems: [] });
    });
  });

  it('can lack inventory for the hosts on the first pages, which one report shows', async () => {
    const place = givenPlace(
      givenHosts(200).map((host, index) => (index < 120 ? { id: host.id, name: String(host.name) } : host)),
    );
    expect(await place.harvest()).toMatchObject([{ fetched: 80, absent: 120, left: 0, reports: 1 }]);
  });

  it('can leave a report unready forever, and the harvest gives up after some reports', async () => {
    const place = givenPlace(givenHosts(3), { switches: { reportReadyAfterMs: 3_600_000 } });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ left: 3, absent: 0, reports: 3, problems: [{ code: 'not-found' }] });
  });

  it('can limit the reading of reports: a 429 is waited out', async () => {
    const place = givenPlace(givenHosts(300, { without: 10 }), {
      limits: { readHardwareReport: { kind: 'sliding-window', windowMs: 5_000, calls: 1 } },
    });
    expect(await place.harvest()).toMatchObject([{ fetched: 270, absent: 30, reports: 1 }]);
    expect(place.statuses('readHardwareReport')).toContain(429);
  });

  it('can let the token expire before everything is read: the rest is requested again', async () => {
    const place = givenPlace(givenHosts(300, { without: 10 }), {
      limits: { readHardwareReport: { kind: 'sliding-window', windowMs: 25_000, calls: 1 } },
    });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ fetched: 270, absent: 30, left: 0 });
    expect(done?.reports).toBeGreaterThan(1);
  });

  it.each([
    ['breaks off a page', { kind: 'drop', when: 'after' }],
    ['cuts a page short', { kind: 'truncated-body', share: 0.5 }],
    ['answers 502 for a page', { kind: 'status', status: 502, when: 'after' }],
  ] as const)('%s, and its hosts are requested again', async (_, effect) => {
    const place = givenPlace(givenHosts(200, { without: 10 }), {
      faults: [{ action: 'readHardwareReport', nth: 2, effect }],
    });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ fetched: 180, absent: 20, left: 0, reports: 2 });
    expect(place.reports()[1]?.hosts).toHaveLength(65);
  });

  it('breaks off the response to a new report: it is waited for', async () => {
    const place = givenPlace(givenHosts(60), {
      faults: [{ action: 'createHardwareReport', nth: 1, effect: { kind: 'drop', when: 'after' } }],
    });
    expect(await place.harvest()).toMatchObject([{ fetched: 60, left: 0, problems: [] }]);
  });

  it('refuses the credentials, which ends the harvest at once', async () => {
    const place = givenPlace(givenHosts(60), {
      faults: [{ action: 'createHardwareReport', effect: { kind: 'status', status: 401 } }],
    });
    const [done] = await place.harvest();
    expect(done).toMatchObject({ left: 60, problems: [{ code: 'not-authenticated' }] });
    expect(place.statuses('createHardwareReport')).toEqual([401]);
  });
});

describe('a harvest ends early', () => {
  const inFifties = { switches: { reportHosts: '50-in-all' } } as const;

  it('at a safe point on request, and the next continues', async () => {
    const place = givenPlace(givenHosts(300), inFifties);
    const stop = new AbortController();
    const running = place.harvest({ stop: stop.signal });
    void place.clock.sleep(1.5 * minute).then(() => stop.abort());
    expect(await running).toMatchObject([{ fetched: 100, left: 200, problems: [{ code: 'cancelled' }] }]);
    expect(place.read((cache) => cache.openReport('hardware'))).toBeUndefined();
    expect(await place.harvest()).toMatchObject([{ of: 200, fresh: 100, fetched: 200, left: 0 }]);
  });

  it('in the middle of a report, and the next one reads the rest at once', async () => {
    const stop = new AbortController();
    const place = givenPlace(givenHosts(300), {
      hooks: {
        afterEach: ({ action, nth }) => {
          if (action === 'readHardwareReport' && nth === 3) stop.abort();
        },
      },
    });
    expect(await place.harvest({ stop: stop.signal })).toMatchObject([
      { fetched: 150, left: 150, problems: [{ code: 'cancelled' }] },
    ]);
    expect(await place.harvest()).toMatchObject([{ of: 150, fetched: 150, left: 0, reports: 0 }]);
    expect(place.clock.now() - cacheTime).toBeLessThan(minute);
  });

  it('after the maximum number of reports', async () => {
    const place = givenPlace(givenHosts(300), inFifties);
    const [done] = await place.harvest({ maxReports: 2 });
    expect(done).toMatchObject({ fetched: 100, left: 200, reports: 2, problems: [{ code: 'budget-spent' }] });
    expect(place.clock.now() - cacheTime).toBeLessThan(1.5 * minute);
  });

  it('at its deadline, without waiting for it', async () => {
    const place = givenPlace(givenHosts(300), inFifties);
    const [done] = await place.harvest({ deadline: cacheTime + 2.5 * minute });
    expect(done).toMatchObject({ fetched: 150, left: 150, problems: [{ code: 'budget-spent' }] });
  });

  it('without a problem if all is done by then', async () => {
    const place = givenPlace(givenHosts(50));
    expect(await place.harvest({ maxReports: 1, deadline: cacheTime + day })).toMatchObject([
      { problems: [] },
    ]);
  });
});
