import { type FleetState, fleetState } from '../../src/service/emulator/fleet-state.ts';

/** The fleet that the rules speak of. */
export const ids = {
  /** BER-WEB-01, in 17, online; the largest id there is. */
  web1: '9223372036854775807',
  /** BER-WEB-02, in 18, offline; the first integer that a double rounds. */
  web2: '9007199254740993',
  /** KIOSK, ungrouped, online, someone is connected; has no inventory. */
  kiosk: '1001',
  /** No name, ungrouped, online, a Mac. */
  nameless: '1002',
  unknown: '404404',
} as const;

export const groupIds = { servers: '17', laptops: '18', ungrouped: '-1', unknown: '9999' } as const;

/** Hosts with an inventory, more than two pages of a report. */
export const reported: readonly string[] = Array.from({ length: 120 }, (_, index) => String(5_000 + index));

export const fixture: FleetState = fleetState({
  companyId: '1234567890',
  psk: 'conformance-key-'.repeat(8),
  groups: [
    { id: groupIds.servers, name: 'Berlin Servers' },
    { id: groupIds.laptops, name: 'Lisbon Laptops' },
  ],
  categories: [
    {
      id: 'c-site',
      name: 'Site',
      values: [
        { id: 'v-ber', name: 'Berlin' },
        { id: 'v-lis', name: 'Lisbon' },
      ],
    },
  ],
  hosts: [
    { id: ids.web1, name: 'BER-WEB-01', groupId: groupIds.servers, customFields: { 'c-site': 'v-ber' } },
    {
      id: ids.web2,
      name: 'BER-WEB-02',
      groupId: groupIds.laptops,
      online: false,
      antivirus: { installed: true },
    },
    { id: ids.kiosk, name: 'KIOSK', inSession: true },
    { id: ids.nameless, name: null, antivirus: { isMac: true, supported: false } },
    ...reported.map((id) => ({
      id,
      name: `PC-${id}`,
      inventory: {
        hardware: { serviceTag: `ST${id}`, processors: [{ id: '0', type: 'x64', speed: '3100' }] },
        system: { externalIp: '203.0.113.7', operatingSystem: { type: 'Windows 11 Pro' } },
      },
    })),
  ],
});
