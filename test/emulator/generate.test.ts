import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName } from '../../src/emulator/fleet-store.ts';
import { generateFleet } from '../../src/emulator/generate.ts';
import { isInt64 } from '../../src/lib/int64.ts';

describe('a generated fleet', () => {
  it('is the same for the same seed, and another for another', () => {
    const one = generateFleet({ hosts: 50, seed: 1 });
    expect(generateFleet({ hosts: 50, seed: 1 })).toEqual(one);
    expect(generateFleet({ hosts: 50, seed: 2 })).not.toEqual(one);
  });

  it('has as many hosts as asked for, ids and names once, groups that exist', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.integer(), (hosts, seed) => {
        const fleet = generateFleet({ hosts, seed });
        const groups = new Set(['-1', ...fleet.groups.map((group) => group.id)]);
        expect(fleet.hosts).toHaveLength(hosts);
        expect(new Set(fleet.hosts.map((host) => host.id)).size).toBe(hosts);
        expect(new Set(fleet.hosts.map((host) => foldName(host.name ?? ''))).size).toBe(hosts);
        expect(fleet.hosts.every((host) => isInt64(host.id) && groups.has(host.groupId))).toBe(true);
      }),
    );
  });

  it('has half of its ids beyond 2^53, up to nearly 2^63', () => {
    const ids = generateFleet({ hosts: 1_000 }).hosts.map((host) => BigInt(host.id));
    expect(ids.filter((id) => id > 2n ** 53n)).toHaveLength(500);
    expect(ids.some((id) => id > 2n ** 62n)).toBe(true);
  });

  it('has something of everything', () => {
    const { hosts } = generateFleet({ hosts: 500 });
    for (const trait of [
      hosts.some((host) => host.online) && hosts.some((host) => !host.online),
      hosts.some((host) => host.groupId === '-1'),
      hosts.some((host) => host.antivirus.installed) && hosts.some((host) => !host.antivirus.supported),
      hosts.some((host) => Object.keys(host.customFields).length === 2),
      hosts.some((host) => host.inventory === undefined) &&
        hosts.some((host) => host.inventory !== undefined),
    ]) {
      expect(trait).toBe(true);
    }
  });

  it('of many hosts has no inventory unless asked for', () => {
    expect(generateFleet({ hosts: 1_001 }).hosts.some((host) => host.inventory !== undefined)).toBe(false);
    expect(
      generateFleet({ hosts: 1_001, inventory: true }).hosts.some((host) => host.inventory !== undefined),
    ).toBe(true);
  });
});
