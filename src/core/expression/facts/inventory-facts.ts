import { type FactShape, textFactOf } from './fact-shape.ts';

/** Spec section 2, "Hardware inventory host record", with the names of the report fields for each fact. */
export const hardwareFacts: FactShape = {
  kind: 'object',
  needs: 'hardware',
  about: 'the hardware report',
  members: {
    serviceTag: textFactOf('the service tag', 'ServiceTag'),
    motherboard: {
      kind: 'object',
      about: 'the motherboard',
      members: {
        id: textFactOf('the id', 'MotherboardChipset', 'MotherboardMemorySlots'),
        chipset: textFactOf('the chipset', 'MotherboardChipset'),
        memorySlots: textFactOf('the number of memory slots', 'MotherboardMemorySlots'),
      },
    },
    processors: {
      kind: 'objects',
      about: 'the processors',
      fields: ['CpuNumberOfCores', 'CpuNumberOfProcessors', 'CpuSpeed', 'CpuType'],
      members: {
        id: textFactOf('the id'),
        type: textFactOf('the name'),
        speed: textFactOf('the speed'),
        numberOfCores: textFactOf('the number of cores'),
        numberOfProcessors: textFactOf('the number of processors of this type'),
      },
    },
    memories: {
      kind: 'objects',
      about: 'the memory',
      fields: ['MemoryModules', 'MemorySize'],
      members: { size: textFactOf('the size'), modules: textFactOf('the modules') },
    },
    drives: {
      kind: 'objects',
      about: 'the drives',
      fields: ['DriveCapacity', 'DriveDiskType', 'DriveMediaType', 'DriveName', 'DriveSerialNumber'],
      members: {
        id: textFactOf('the id'),
        name: textFactOf('the name'),
        diskType: textFactOf('the type of disk'),
        serialNumber: textFactOf('the serial number'),
        capacity: textFactOf('the capacity'),
        mediaType: textFactOf('the type of medium'),
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
        id: textFactOf('the id'),
        drive: textFactOf('the drive that contains it'),
        name: textFactOf('the name'),
        fileSystem: textFactOf('the file system'),
        totalSize: textFactOf('the total size'),
        freeSpace: textFactOf('the free space'),
        raid: textFactOf('the RAID'),
        raidStatus: textFactOf('the state of the RAID'),
        raidFailingDiskNumber: textFactOf('the number of the failing disk in the RAID'),
      },
    },
    networkConnections: {
      kind: 'objects',
      about: 'the network connections',
      fields: ['NetworkConnectionMacAddress', 'NetworkConnectionName'],
      members: { name: textFactOf('the name'), macAddress: textFactOf('the MAC address') },
    },
    displays: {
      kind: 'objects',
      about: 'the display adapters',
      fields: ['DisplayDate', 'DisplayProvider', 'DisplayType', 'DisplayVersion'],
      members: {
        type: textFactOf('the name'),
        provider: textFactOf('the provider of the driver'),
        version: textFactOf('the version of the driver'),
        date: textFactOf('the date of the driver'),
      },
    },
    hardwareInfo: {
      kind: 'object',
      about: 'the computer as a product',
      members: {
        manufacturer: textFactOf('the manufacturer', 'HardwareManufacturer'),
        model: textFactOf('the model', 'HardwareModel'),
        assetTag: textFactOf('the asset tag', 'HardwareAssetTag'),
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
        id: textFactOf('the id'),
        name: textFactOf('the name'),
        size: textFactOf('the size'),
        modified: textFactOf('when it was last changed'),
      },
    },
    lastBootDate: textFactOf('when the computer last started', 'LastBootDate'),
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
        id: textFactOf('the id'),
        name: textFactOf('the name'),
        created: textFactOf('when the user was created'),
        lastLogin: textFactOf('when the user last logged in'),
        status: textFactOf('the status'),
        group: textFactOf('the group'),
      },
    },
    operatingSystem: {
      kind: 'object',
      about: 'the operating system',
      members: {
        type: textFactOf('the name', 'OsType'),
        installDate: textFactOf('when the operating system was installed', 'OsInstallDate'),
      },
    },
    settingTimeZone: textFactOf('the time zone', 'SettingsTimezone'),
    lastLogonUserName: textFactOf('the user who last logged on', 'LastLogonUserName'),
    externalIp: textFactOf('the public IP address; several addresses are joined by ", "', 'ExternalIp'),
    other: {
      kind: 'map',
      about: 'all other fields of the report, under their original names',
      fields: 'all',
    },
  },
};
