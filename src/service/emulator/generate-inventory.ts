import type { InventoryState } from './fleet-state.ts';
import type { Random } from './random.ts';

const models = [
  { manufacturer: 'Nordmann', model: 'Slate 14' },
  { manufacturer: 'Nordmann', model: 'Tower 5' },
  { manufacturer: 'Kestrel', model: 'R740' },
] as const;

const mbPerGb = 1024;

/** Records in the shape of specification section 2. Sizes are texts with a number of MB, as in live services. */
export function generateInventory(index: number, random: Random): InventoryState {
  const number = String(index).padStart(6, '0');
  const disk = random.pick([256, 512, 1024]) * mbPerGb;
  const memory = random.pick([8, 16, 32]) * mbPerGb;
  return {
    hardware: {
      serviceTag: `ST${number}`,
      motherboard: { id: '0', chipset: 'Q470', memorySlots: '4' },
      processors: [
        {
          id: '0',
          type: 'x64 3.1 GHz',
          speed: '3100',
          numberOfCores: random.pick(['4', '8']),
          numberOfProcessors: '1',
        },
      ],
      memories: [{ size: String(memory), modules: '2' }],
      drives: [
        {
          id: '0',
          name: 'Disk 0',
          diskType: 'SSD',
          serialNumber: `D${number}`,
          capacity: String(disk),
          mediaType: 'Fixed',
        },
      ],
      partitions: [
        {
          id: '0',
          drive: 'Disk 0',
          name: 'C:',
          fileSystem: 'NTFS',
          totalSize: String(disk),
          freeSpace: String(random.below(disk)),
          raid: '',
          raidStatus: '',
          raidFailingDiskNumber: '',
        },
      ],
      networkConnections: [{ name: 'Ethernet', macAddress: macAddress(random) }],
      displays: [
        { type: 'Integrated', provider: 'Nordmann', version: '30.0.1', date: '2025-03-01T00:00:00Z' },
      ],
      hardwareInfo: { ...random.pick(models), assetTag: `A-${number}` },
      batteries: random.fraction() < 0.4 ? ['Primary'] : [],
    },
    system: {
      windowsProfiles: [{ id: '0', name: 'admin', size: '2048', modified: '2026-01-10T10:00:00Z' }],
      lastBootDate: '2026-01-12T06:30:00Z',
      journalEntries: [],
      localUsers: [
        {
          id: '0',
          name: 'admin',
          created: '2025-01-01T00:00:00Z',
          lastLogin: '2026-01-12T06:31:00Z',
          status: 'OK',
          group: 'Administrators',
        },
      ],
      operatingSystem: { type: 'Windows 11 Pro', installDate: '2025-01-01T00:00:00Z' },
      settingTimeZone: 'Europe/Berlin',
      lastLogonUserName: 'admin',
      externalIp: `203.0.113.${random.below(256)}`,
    },
  };
}

function macAddress(random: Random): string {
  const octets = Array.from({ length: 5 }, () => random.below(256).toString(16).padStart(2, '0'));
  return ['02', ...octets].join(':').toUpperCase();
}
