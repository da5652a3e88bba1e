import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Facts, type InventoryRecord, noFacts } from '../../../src/core/model/facts.ts';
import { hostsOf, type ObservedHost, observe } from '../../../src/core/model/observed.ts';
import { printSnapshot, readSnapshot } from '../../../src/core/model/snapshot.ts';
import { at, givenFleet, hostId, named } from '../../given/fleet.ts';

const account = { companyId: '42', service: 'https://service.example' };

describe('a snapshot', () => {
  it('reads back what was written, whatever the hosts are called', () => {
    const hosts = fc.uniqueArray(
      fc.record({
        id: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
        name: fc.option(fc.string({ unit: 'binary' })),
        group: fc.constantFrom(-1, 10),
        online: fc.boolean(),
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(hosts, (given) => {
        const observed = givenFleet(given, { 10: 'Berlin' });
        const read = readSnapshot(printSnapshot({ account, observed, facts: noFacts }), 'fleet.json');
        if (!read.ok) throw new Error(read.problems[0]?.message);
        expect(hostsOf(read.value.observed)).toEqual(hostsOf(observed));
        expect(read.value).toMatchObject({
          account,
          observed: { groups: observed.groups, takenAt: observed.takenAt },
        });
      }),
    );
  });

  const text = printSnapshot({
    account,
    observed: givenFleet(named('A', 'B')),
    facts: noFacts,
  });
  const broken: readonly [string, string][] = [
    ['text that is not JSON', '{'],
    ['another format', text.replace('"1.3"', '"2.0"')],
    ['an id as a number', text.replace('"id":"1"', '"id":1')],
    ['an id beyond 64 bits', text.replace('"id":"1"', '"id":"99999999999999999999"')],
    ['an id twice', text.replace('"id":"1"', '"id":"2"')],
    ['no hosts', '{"format_version":"1.0"}'],
    ['null', 'null'],
  ];
  it.each(broken)('%s is refused', (_, edited) => {
    expect(edited).not.toBe(text);
    expect(readSnapshot(edited, 'fleet.json').problems[0]?.code).toBe('snapshot-invalid');
  });
  it('may begin with a byte order mark', () =>
    expect(readSnapshot(`\ufeff${text}`, 'fleet.json').ok).toBe(true));
  it('of a later minor format is read', () =>
    expect(readSnapshot(text.replace('"1.3"', '"1.9"'), 'fleet.json').ok).toBe(true));
  it('has one host per line', () =>
    expect(text.split('\n').filter((line) => line.includes('group_id'))).toHaveLength(2));
});

describe('the facts of a snapshot', () => {
  const first: ObservedHost = {
    ...hostsOf(givenFleet([{ id: 1, name: 'A' }]))[0],
    hostName: 'WIN-1',
    stateChangedAt: '2026-01-01T00:00:00Z',
    antivirus: {
      installed: false,
      supported: true,
      details: {
        product: null,
        status: 'warning',
        realTimeProtection: true,
        definitionsUpToDate: null,
        definitionVersion: '1.2',
        lastFullScan: null,
        threats: 3,
        several: false,
        build: 17763,
        mac: false,
      },
    },
  } as ObservedHost;
  const second: ObservedHost = { ...first, id: hostId(2), antivirus: { installed: true, supported: true } };
  const hardware: InventoryRecord = {
    serviceTag: 'T',
    drives: [{ name: 'C', capacity: 5 }],
    batteries: null,
  };
  const facts: Facts = {
    lists: [
      { list: 'custom-field-categories', at },
      { list: 'custom-fields', at },
      { list: 'hardware-inventory', at },
    ],
    customFieldsOf: (id) =>
      id === '1'
        ? Object.fromEntries([
            ['Site', 'Wien'],
            ['__proto__', 'odd'],
          ])
        : undefined,
    customFieldCategories: ['Site', 'Owner'],
    inventoryOf: (kind, id) => (kind === 'hardware' && id === '1' ? hardware : undefined),
  };
  const observed = observe({
    takenAt: at,
    lists: [{ list: 'hosts-with-groups', at }],
    groups: [],
    hosts: [first, second],
  });
  const text = printSnapshot({ account, observed, facts });

  it('read back what was written', () => {
    const read = readSnapshot(text, 'fleet.json');
    if (!read.ok) throw new Error(read.problems[0]?.message);
    expect(hostsOf(read.value.observed)).toEqual([first, second]);
    expect(read.value.observed.lists).toEqual(observed.lists);
    expect(read.value.facts.lists).toEqual(facts.lists);
    expect(read.value.facts.customFieldCategories).toEqual(['Site', 'Owner']);
    for (const id of [first.id, second.id]) {
      expect(read.value.facts.customFieldsOf(id)).toEqual(facts.customFieldsOf(id));
      for (const kind of ['hardware', 'system'] as const) {
        expect(read.value.facts.inventoryOf(kind, id)).toEqual(facts.inventoryOf(kind, id));
      }
    }
    expect(printSnapshot(read.value)).toBe(text);
  });

  const broken: readonly [string, string][] = [
    ['a custom field that is no text', text.replace('"Wien"', '7')],
    ['custom fields in a list', text.replace(/"custom_fields":\{[^}]*\}/, '"custom_fields":[]')],
    [
      'inventory that is no mapping',
      text.replace('"hardware":{', '"hardware":[{').replace('null}}}', 'null}]}}'),
    ],
    ['anti-virus details with a status that is a number', text.replace('"status":"warning"', '"status":1')],
    ['a list that nobody knows', text.replace('"list":"custom-fields"', '"list":"secrets"')],
  ];
  it.each(broken)('%s is refused', (_, edited) => {
    expect(edited).not.toBe(text);
    expect(readSnapshot(edited, 'fleet.json').problems[0]?.code).toBe('snapshot-invalid');
  });
});
