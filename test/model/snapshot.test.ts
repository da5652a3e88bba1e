import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostsOf } from '../../src/model/observed.ts';
import { printSnapshot, readSnapshot } from '../../src/model/snapshot.ts';
import { givenFleet } from '../given/fleet.ts';

const account = { companyId: '42', service: 'https://service.example' };

describe('a snapshot', () => {
  it('comes back as it went, whatever the hosts are called', () => {
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
        const read = readSnapshot(printSnapshot({ account, observed }), 'fleet.json');
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
    observed: givenFleet([
      { id: 1, name: 'A' },
      { id: 2, name: 'B' },
    ]),
  });
  const broken: readonly [string, string][] = [
    ['text that is not JSON', '{'],
    ['another format', text.replace('"1.0"', '"2.0"')],
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
    expect(readSnapshot(text.replace('"1.0"', '"1.9"'), 'fleet.json').ok).toBe(true));
  it('holds one host to a line', () =>
    expect(text.split('\n').filter((line) => line.includes('group_id'))).toHaveLength(2));
});
