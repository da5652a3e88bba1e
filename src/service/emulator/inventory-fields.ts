import { hardwareFields, systemFields } from '../contract/inventory.ts';
import type { Json, JsonRecord } from './fleet-state.ts';

export type EmulatedReportKind = 'hardware' | 'system';

export const fieldNames: Readonly<Record<EmulatedReportKind, readonly string[]>> = {
  hardware: hardwareFields,
  system: systemFields,
};

/** The position of each field in a record: a property, or a property of a property (specification section 2). */
const fieldPaths: Readonly<Record<string, string>> = {
  BatteryName: 'batteries',
  CpuNumberOfCores: 'processors.numberOfCores',
  CpuNumberOfProcessors: 'processors.numberOfProcessors',
  CpuSpeed: 'processors.speed',
  CpuType: 'processors.type',
  DisplayDate: 'displays.date',
  DisplayProvider: 'displays.provider',
  DisplayType: 'displays.type',
  DisplayVersion: 'displays.version',
  DriveCapacity: 'drives.capacity',
  DriveDiskType: 'drives.diskType',
  DriveMediaType: 'drives.mediaType',
  DriveName: 'drives.name',
  DriveSerialNumber: 'drives.serialNumber',
  HardwareAssetTag: 'hardwareInfo.assetTag',
  HardwareManufacturer: 'hardwareInfo.manufacturer',
  HardwareModel: 'hardwareInfo.model',
  MemoryModules: 'memories.modules',
  MemorySize: 'memories.size',
  MotherboardChipset: 'motherboard.chipset',
  MotherboardMemorySlots: 'motherboard.memorySlots',
  NetworkConnectionMacAddress: 'networkConnections.macAddress',
  NetworkConnectionName: 'networkConnections.name',
  PartitionDrive: 'partitions.drive',
  PartitionFileSystem: 'partitions.fileSystem',
  PartitionFreeSpace: 'partitions.freeSpace',
  PartitionName: 'partitions.name',
  PartitionRaid: 'partitions.raid',
  PartitionRaidFailingDiskNumber: 'partitions.raidFailingDiskNumber',
  PartitionRaidStatus: 'partitions.raidStatus',
  PartitionTotalSize: 'partitions.totalSize',
  ServiceTag: 'serviceTag',
  ExternalIp: 'externalIp',
  JournalEntries: 'journalEntries',
  LastBootDate: 'lastBootDate',
  LastLogonUserName: 'lastLogonUserName',
  LocalUserCreated: 'localUsers.created',
  LocalUserGroup: 'localUsers.group',
  LocalUserLastLogin: 'localUsers.lastLogin',
  LocalUserName: 'localUsers.name',
  LocalUserStatus: 'localUsers.status',
  OsInstallDate: 'operatingSystem.installDate',
  OsType: 'operatingSystem.type',
  SettingsTimezone: 'settingTimeZone',
  WindowsProfileModified: 'windowsProfiles.modified',
  WindowsProfileName: 'windowsProfiles.name',
  WindowsProfileSize: 'windowsProfiles.size',
};

/** The field of this name in this kind of report; the specification itself spells one in two letter cases. */
export function findField(kind: EmulatedReportKind, name: string): string | undefined {
  return fieldNames[kind].find((each) => each.toLowerCase() === name.toLowerCase());
}

/** The record with only these fields; ids of its parts are kept. */
export function selectFields(record: JsonRecord, fields: readonly string[]): JsonRecord {
  const paths = new Set(fields.map((field) => fieldPaths[field]));
  const members: [string, Json][] = [];
  for (const [member, value] of Object.entries(record)) {
    if (paths.has(member)) {
      members.push([member, value]);
    } else if ([...paths].some((path) => path?.startsWith(`${member}.`))) {
      members.push([member, Array.isArray(value) ? value.map((part) => pick(part)) : pick(value)]);
    }

    function pick(part: Json): Json {
      if (part === null || typeof part !== 'object') return part;
      return Object.fromEntries(
        Object.entries(part).filter(([leaf]) => leaf === 'id' || paths.has(`${member}.${leaf}`)),
      );
    }
  }
  return Object.fromEntries(members);
}
