import { type FactShape, text } from './fact-shape.ts';

/** Spec section 2, "Hardware inventory host record", with the names of the report fields for each fact. */
export const hardwareFacts: FactShape = {
  kind: 'object',
  needs: 'hardware',
  about: 'the hardware report',
  members: {
    serviceTag: text('the service tag', 'ServiceTag'),
    motherboard: {
      kind: 'object',
      about: 'the motherboard',
      members: {
        id: text('the id', 'MotherboardChipset', 'MotherboardMemorySlots'),
        chipset: text('the chipset', 'MotherboardChipset'),
        memorySlots: text('the number of memory slots', 'MotherboardMemorySlots'),
      },
    },
    processors: {
      kind: 'objects',
      about: 'the processors',
      fields: ['CpuNumberOfCores', 'CpuNumberOfProcessors', 'CpuSpeed', 'CpuType'],
      members: {
        id: text('the id'),
        type: text('the name'),
        speed: text('the speed'),
        numberOfCores: text('the number of cores'),
        numberOfProcessors: text('the number of processors of this type'),
      },
    },
    memories: {
      kind: 'objects',
      about: 'the memory',
      fields: ['MemoryModules', 'MemorySize'],
      members: { size: text('the size'), modules: text('the modules') },
    },
    drives: {
      kind: 'objects',
      about: 'the drives',
      fields: ['DriveCapacity', 'DriveDiskType', 'DriveMediaType', 'DriveName', 'DriveSerialNumber'],
      members: {
        id: text('the id'),
        name: text('the name'),
        diskType: text('the type of disk'),
        serialNumber: text('the serial number'),
        capacity: text('the capacity'),
        mediaType: text('the type of medium'),
      },
    },
    partitions: {
      kind: 'objects',
      about: 'the partitions',
      fields: [
        'PartitionDrive',
        'PartitionFileSystem',
        'PartitionFreeSpace',
        'PartitionName',
        'PartitionRaid',
        'PartitionRaidFailingDiskNumber',
        'PartitionRaidStatus',
        'PartitionTotalSize',
      ],
      members: {
        id: text('the id'),
        drive: text('the drive that contains it'),
        name: text('the name'),
        fileSystem: text('the file system'),
        totalSize: text('the total size'),
        freeSpace: text('the free space'),
        raid: text('the RAID'),
        raidStatus: text('the state of the RAID'),
        raidFailingDiskNumber: text('the number of the failing disk in the RAID'),
      },
    },
    networkConnections: {
      kind: 'objects',
      about: 'the network connections',
      fields: ['NetworkConnectionMacAddress', 'NetworkConnectionName'],
      members: { name: text('the name'), macAddress: text('the MAC address') },
    },
    displays: {
      kind: 'objects',
      about: 'the display adapters',
      fields: ['DisplayDate', 'DisplayProvider', 'DisplayType', 'DisplayVersion'],
      members: {
        type: text('the name'),
        provider: text('the provider of the driver'),
        version: text('the version of the driver'),
        date: text('the date of the driver'),
      },
    },
    hardwareInfo: {
      kind: 'object',
      about: 'the computer as a product',
      members: {
        manufacturer: text('the manufacturer', 'HardwareManufacturer'),
        model: text('the model', 'HardwareModel'),
        assetTag: text('the asset tag', 'HardwareAssetTag'),
      },
    },
    batteries: { kind: 'texts', about: 'the names of the batteries', fields: ['BatteryName'] },
    other: {
      kind: 'map',
      about: 'all other fields of the report, under their original names',
      fields: 'all',
    },
  },
};

/** Spec section 2, "System inventory host record". */
export const systemFacts: FactShape = {
  kind: 'object',
  needs: 'system',
  about: 'the system report',
  members: {
    windowsProfiles: {
      kind: 'objects',
      about: 'the Windows profiles',
      fields: ['WindowsProfileModified', 'WindowsProfileName', 'WindowsProfileSize'],
      members: {
        id: text('the id'),
        name: text('the name'),
        size: text('the size'),
        modified: text('when it was last changed'),
      },
    },
    lastBootDate: text('when the computer last started', 'LastBootDate'),
    journalEntries: { kind: 'texts', about: 'the entries of the journal', fields: ['JournalEntries'] },
    localUsers: {
      kind: 'objects',
      about: 'the local users',
      fields: [
        'LocalUserCreated',
        'LocalUserGroup',
        'LocalUserLastLogin',
        'LocalUserName',
        'LocalUserStatus',
      ],
      members: {
        id: text('the id'),
        name: text('the name'),
        created: text('when the user was created'),
        lastLogin: text('when the user last logged in'),
        status: text('the status'),
        group: text('the group'),
      },
    },
    operatingSystem: {
      kind: 'object',
      about: 'the operating system',
      members: {
        type: text('the name', 'OsType'),
        installDate: text('when the operating system was installed', 'OsInstallDate'),
      },
    },
    settingTimeZone: text('the time zone', 'SettingsTimezone'),
    lastLogonUserName: text('the user who last logged on', 'LastLogonUserName'),
    externalIp: text('the public IP address; several addresses are joined by ", "', 'ExternalIp'),
    other: {
      kind: 'map',
      about: 'all other fields of the report, under their original names',
      fields: 'all',
    },
  },
};
