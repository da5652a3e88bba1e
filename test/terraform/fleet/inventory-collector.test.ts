import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needsNothing } from '../../../src/core/model/facts.ts';
import { failed, ok, problem } from '../../../src/core/problem/problem.ts';
import { openFilesState } from '../../../src/run/state/files/files-state.ts';
import type { HostParts } from '../../../src/service/emulator/fleet-state.ts';
import { realisticLimits } from '../../../src/service/emulator/realistic-limits.ts';
import { readFacts } from '../../../src/terraform/fleet/fleet-inputs.ts';
import { createInventoryCollector } from '../../../src/terraform/fleet/inventory-collector.ts';
import { hostId } from '../../given/fleet.ts';
import { fleetWorld } from './fleet-world.ts';

let stateDir = '';
beforeAll(() => {
  stateDir = mkdtempSync(join(tmpdir(), 'rampart-inventory-'));
});
afterAll(() => rmSync(stateDir, { recursive: true }));

const hosts: readonly HostParts[] = Array.from({ length: 40 }, (_, index) => ({
  id: String(index + 1),
  name: `h${index + 1}`,
  ...(index === 0 ? {} : { inventory: { hardware: { serviceTag: `TAG-${index + 1}` } } }),
}));

const day = 24 * 3600 * 1000;

it('40 data sources share one report, and the next run requests none', async () => {
  const world = fleetWorld({ hosts, limits: realisticLimits });
  const readAll = (session = world.session) => {
    const collector = createInventoryCollector({ session, stateDir });
    return Promise.all(
      hosts.map(({ id }) =>
        collector.read({ kind: 'hardware', hosts: [hostId(id)], fields: ['ServiceTag'], maxAgeMs: day }),
      ),
    );
  };
  const read = await readAll();
  const tags = read.map((each, index) =>
    each.ok ? each.value.get(hostId(index + 1))?.record?.['serviceTag'] : each.problems[0]?.code,
  );
  expect(tags).toEqual([undefined, ...hosts.slice(1).map(({ id }) => `TAG-${id}`)]);
  expect(world.calls()['createHardwareReport']).toBe(1);
  expect((await readAll(world.start().session)).every(({ ok }) => ok)).toBe(true);
  expect(world.calls()['createHardwareReport']).toBe(1);
});

it('a refused report is an error for every caller', async () => {
  const faults = [{ action: 'createSystemReport', effect: { kind: 'status', status: 401 } }] as const;
  const world = fleetWorld({ hosts, faults });
  const collector = createInventoryCollector({ session: world.session, stateDir });
  const read = await Promise.all(
    [1, 2].map((id) => collector.read({ kind: 'system', hosts: [hostId(id)], fields: null, maxAgeMs: day })),
  );
  expect(read.map(({ ok, problems }) => [ok, problems[0]?.code])).toEqual([
    [false, 'not-authenticated'],
    [false, 'not-authenticated'],
  ]);
});

it('a cancelled caller returns immediately', async () => {
  const world = fleetWorld({ hosts });
  const collector = createInventoryCollector({ session: world.session, stateDir });
  const stop = new AbortController();
  const reading = collector.read({
    kind: 'system',
    hosts: [hostId(3)],
    fields: null,
    maxAgeMs: 0,
    signal: stop.signal,
  });
  stop.abort();
  expect((await reading).problems[0]?.code).toBe('cancelled');
});

it('a shared state provides the inventory of another machine, and receives what this one fetches', async () => {
  const shared = openFilesState(mkdtempSync(join(stateDir, 'shared-')));
  const world = fleetWorld({ hosts });
  const readOn = (machine: string, ids: readonly number[]) => {
    const folder = mkdtempSync(join(stateDir, `${machine}-`));
    const { session } = world.start();
    const collector = createInventoryCollector({ session, stateDir: folder, shared: async () => ok(shared) });
    return collector.read({ kind: 'hardware', hosts: ids.map(hostId), fields: null, maxAgeMs: day });
  };
  expect((await readOn('first', [2])).ok).toBe(true);
  expect(world.calls()['createHardwareReport']).toBe(1);
  const second = await readOn('second', [2]);
  expect(second.ok && second.value.get(hostId(2))?.record).toMatchObject({ serviceTag: 'TAG-2' });
  expect(world.calls()['createHardwareReport']).toBe(1);
  const needs = { ...needsNothing, hardware: ['ServiceTag'] };
  const fleet = await world.start().session.observed();
  if (!fleet.ok) throw new Error('not read');
  const place = { stateDir: null, shared: async () => ok(shared) };
  const options = { session: world.session, place, reader: 'rules read' };
  const facts = await readFacts(needs, fleet.value, options);
  expect(facts.ok && facts.value.inventoryOf('hardware', hostId(2))).toMatchObject({ serviceTag: 'TAG-2' });
});

it('a shared state that does not respond is an error for every caller, and nothing is fetched', async () => {
  const world = fleetWorld({ hosts });
  const shared = async () => failed(problem('state', 'the database does not answer'));
  const collector = createInventoryCollector({ session: world.session, stateDir, shared });
  const read = await collector.read({ kind: 'hardware', hosts: [hostId(2)], fields: null, maxAgeMs: 0 });
  expect(read.problems[0]?.message).toBe('the database does not answer');
  expect(world.calls()['createHardwareReport']).toBeUndefined();
});
