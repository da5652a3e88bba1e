import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isInt64 } from '../../../src/core/lib/int64.ts';
import { foldName } from '../../../src/core/model/host-name.ts';
import { generateAccounts, generateFleet } from '../../../src/service/emulator/generate.ts';

describe('a generated fleet', () => {
  it('is the same for the same seed, and differs for another', () => {
    const one = generateFleet({ hosts: 50, seed: 1 });
    expect(generateFleet({ hosts: 50, seed: 1 })).toEqual(one);
    expect(generateFleet({ hosts: 50, seed: 2 })).not.toEqual(one);
  });

  it('has the requested number of hosts, unique ids and names, and existing groups', () =>
    fc.assert(
      fc.property(fc.nat(400), fc.integer(), (hosts, seed) => {
        const fleet = generateFleet({ hosts, seed });
        const groups = new Set(['-1', ...fleet.groups.map((group) => group.id)]);
        expect(fleet.hosts).toHaveLength(hosts);
        expect(new Set(fleet.hosts.map((host) => host.id)).size).toBe(hosts);
        expect(new Set(fleet.hosts.map((host) => foldName(host.name ?? ''))).size).toBe(hosts);
        expect(fleet.hosts.every((host) => isInt64(host.id) && groups.has(host.groupId))).toBe(true);
      }),
    ));

  it('has ids of nine digits, which any JSON parser keeps', () => {
    const ids = generateFleet({ hosts: 1_000 }).hosts.map((host) => host.id);
    expect(ids.filter((id) => !/^\d{9}$/.test(id))).toEqual([]);
  });

  it('has a tenth of its ids beyond 2^53, up to nearly 2^63, on request', () => {
    const ids = generateFleet({ hosts: 1_000, largeIds: true }).hosts.map((host) => BigInt(host.id));
    expect(ids.filter((id) => id > 2n ** 53n)).toHaveLength(100);
    expect(ids.some((id) => id > 2n ** 62n)).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
  });

  it('has inventory and custom fields on every host', () => {
    const { hosts, categories } = generateFleet({ hosts: 500 });
    expect(hosts.filter((host) => host.customFields[categories[0]?.id ?? ''] === undefined)).toEqual([]);
    const without = hosts.filter(({ inventory }) => !(inventory?.hardware && inventory.system));
    expect(without).toEqual([]);
  });

  it('has the same hosts with and without inventory', () => {
    const without = generateFleet({ hosts: 50, inventory: false });
    const all = generateFleet({ hosts: 50 });
    // An absent property equals an undefined one.
    const stripped = all.hosts.map((host) => ({ ...host, inventory: undefined }));
    expect(without.hosts).toEqual(stripped);
    expect(all.hosts).not.toEqual(stripped);
  });

  it('has sizes that are numbers of MB as text', () => {
    const sizes = generateFleet({ hosts: 50 }).hosts.flatMap(({ inventory }) => sizesIn(inventory));
    expect(sizes.length).toBeGreaterThan(200);
    expect(sizes.filter((size) => !/^\d+$/.test(size))).toEqual([]);
  });

  it('has something of everything', () => {
    const { hosts } = generateFleet({ hosts: 500 });
    for (const trait of [
      hosts.some((host) => host.online) && hosts.some((host) => !host.online),
      hosts.some((host) => host.groupId === '-1'),
      hosts.some((host) => host.antivirus.installed) && hosts.some((host) => !host.antivirus.supported),
      hosts.some((host) => Object.keys(host.customFields).length === 2),
      hosts.some((host) => Object.keys(host.customFields).length === 1),
    ]) {
      expect(trait).toBe(true);
    }
  });

  it('with many hosts has inventory only on request', () => {
    expect(generateFleet({ hosts: 50_001 }).hosts.some((host) => host.inventory !== undefined)).toBe(false);
    const asked = generateFleet({ hosts: 50_001, inventory: true }).hosts;
    expect(asked.every((host) => host.inventory !== undefined)).toBe(true);
  });
});

describe('generated accounts', () => {
  it('share no company ID and no host, and have different fleets', () => {
    const accounts = generateAccounts({ accounts: 20, hosts: 15, largeIds: true });
    const ids = accounts.flatMap(({ hosts }) => hosts.map(({ id }) => id));
    expect(new Set(accounts.map(({ companyId }) => companyId)).size).toBe(20);
    expect(new Set(ids).size).toBe(300);
    expect(accounts[0]?.hosts.map(({ name }) => name)).not.toEqual(
      accounts[1]?.hosts.map(({ name }) => name),
    );
  });

  it('begin with the fleet of one account', () =>
    expect(generateAccounts({ accounts: 3, hosts: 15 })[0]).toEqual(generateFleet({ hosts: 15 })));
});

/** All values under a key that names a size, at any depth. */
function sizesIn(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) =>
    /^(size|capacity|totalSize|freeSpace)$/.test(key) ? [each as string] : sizesIn(each),
  );
}
