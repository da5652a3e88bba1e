import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { int64 } from './integer.ts';
import { reportEndpoints } from './report.ts';

/** A leaf value: the spec shows it quoted, and live services send a string or a number. */
const leaf = once(() => z.union([z.string(), z.number(), z.boolean(), z.null()]).optional());
const rows = (...names: readonly string[]) =>
  z.array(z.looseObject(Object.fromEntries(names.map((name) => [name, leaf()])))).nullish();
const record = (...names: readonly string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, leaf()]))).nullish();

export const hardwareHost = once(() =>
  z.looseObject({
    hostId: int64().optional(),
    serviceTag: leaf(),
    motherboard: record('id', 'chipset', 'memorySlots'),
    processors: rows('id', 'type', 'speed', 'numberOfCores', 'numberOfProcessors'),
    memories: rows('size', 'modules'),
    drives: rows('id', 'name', 'diskType', 'serialNumber', 'capacity', 'mediaType'),
    partitions: rows(
      'id',
      'drive',
      'name',
      'fileSystem',
      'totalSize',
      'freeSpace',
      'raid',
      'raidStatus',
      'raidFailingDiskNumber',
    ),
    networkConnections: rows('name', 'macAddress'),
    displays: rows('type', 'provider', 'version', 'date'),
    hardwareInfo: record('manufacturer', 'model', 'assetTag'),
    batteries: z.array(z.union([z.string(), z.looseObject({})])).nullish(),
  }),
);

export const systemHost = once(() =>
  z.looseObject({
    hostId: int64().optional(),
    windowsProfiles: rows('id', 'name', 'size', 'modified'),
    lastBootDate: leaf(),
    journalEntries: z.array(z.unknown()).nullish(),
    localUsers: rows('id', 'name', 'created', 'lastLogin', 'status', 'group'),
    operatingSystem: record('type', 'installDate'),
    settingTimeZone: leaf(),
    lastLogonUserName: leaf(),
    externalIp: z.union([leaf(), z.array(z.string())]),
  }),
);

/** The field names in the spec (section 2). The fields endpoints are authoritative. */
export const hardwareFields = [
  'BatteryName',
  'CpuNumberOfCores',
  'CpuNumberOfProcessors',
  'CpuSpeed',
  'CpuType',
  'DisplayDate',
  'DisplayProvider',
  'DisplayType',
  'DisplayVersion',
  'DriveCapacity',
  'DriveDiskType',
  'DriveMediaType',
  'DriveName',
  'DriveSerialNumber',
  'HardwareAssetTag',
  'HardwareManufacturer',
  'HardwareModel',
  'MemoryModules',
  'MemorySize',
  'MotherboardChipset',
  'MotherboardMemorySlots',
  'NetworkConnectionMacAddress',
  'NetworkConnectionName',
  'PartitionDrive',
  'PartitionFileSystem',
  'PartitionFreeSpace',
  'PartitionName',
  'PartitionRaid',
  'PartitionRaidFailingDiskNumber',
  'PartitionRaidStatus',
  'PartitionTotalSize',
  'ServiceTag',
] as const;

export const systemFields = [
  'ExternalIp',
  'JournalEntries',
  'LastBootDate',
  'LastLogonUserName',
  'LocalUserCreated',
  'LocalUserGroup',
  'LocalUserLastLogin',
  'LocalUserName',
  'LocalUserStatus',
  'OsInstallDate',
  'OsType',
  'SettingsTimezone',
  'WindowsProfileModified',
  'WindowsProfileName',
  'WindowsProfileSize',
] as const;

/** The number of hosts that one active report shows (specification section 8). */
export const hostsPerReport = 50;

const hardware = reportEndpoints({
  name: 'hardware',
  host: hardwareHost,
  numbers: [7, 8, 9, 10],
  tokenIsRateLimited: true,
});
const system = reportEndpoints({
  name: 'system',
  host: systemHost,
  numbers: [11, 12, 13, 14],
  tokenIsRateLimited: false,
});

export const inventoryEndpoints = {
  listHardwareFields: hardware.fields,
  createHardwareReport: hardware.createReport,
  readHardwareToken: hardware.readToken,
  readHardwareReport: hardware.readReport,
  listSystemFields: system.fields,
  createSystemReport: system.createReport,
  readSystemToken: system.readToken,
  readSystemReport: system.readReport,
} as const;
