import { type FactShape, text } from './fact-shape.ts';

/** Spec section 2, "Hardware inventory host record", with the names of the fields that bring each. */
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
        id: text('its id', 'MotherboardChipset', 'MotherboardMemorySlots'),
        chipset: text('its chipset', 'MotherboardChipset'),
        memorySlots: text('how many memory slots it has', 'MotherboardMemorySlots'),
      },
    },
    processors: {
      kind: 'objects',
      about: 'the processors',
      fields: ['CpuNumberOfCores', 'CpuNumberOfProcessors', 'CpuSpeed', 'CpuType'],
      members: {
        id: text('its id'),
        type: text('its name'),
        speed: text('its speed'),
        numberOfCores: text('how many cores it has'),
        numberOfProcessors: text('how many there are of it'),
      },
    },
    memories: {
      kind: 'objects',
      about: 'the memory',
      fields: ['MemoryModules', 'MemorySize'],
      members: { size: text('its size'), modules: text('its modules') },
    },
    drives: {
      kind: 'objects',
      about: 'the drives',
      fields: ['DriveCapacity', 'DriveDiskType', 'DriveMediaType', 'DriveName', 'DriveSerialNumber'],
      members: {
        id: text('its id'),
        name: text('its name'),
        diskType: text('the kind of disk'),
        serialNumber: text('its serial number'),
        capacity: text('its capacity'),
        mediaType: text('the kind of medium'),
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
        id: text('its id'),
        drive: text('the drive it is on'),
        name: text('its name'),
        fileSystem: text('its file system'),
        totalSize: text('its size'),
        freeSpace: text('how much of it is free'),
        raid: text('its RAID'),
        raidStatus: text('the state of its RAID'),
        raidFailingDiskNumber: text('the failing disk of its RAID'),
      },
    },
    networkConnections: {
      kind: 'objects',
      about: 'the network connections',
      fields: ['NetworkConnectionMacAddress', 'NetworkConnectionName'],
      members: { name: text('its name'), macAddress: text('its MAC address') },
    },
    displays: {
      kind: 'objects',
      about: 'the display adapters',
      fields: ['DisplayDate', 'DisplayProvider', 'DisplayType', 'DisplayVersion'],
      members: {
        type: text('its name'),
        provider: text('who makes the driver'),
        version: text('the version of the driver'),
        date: text('the date of the driver'),
      },
    },
    hardwareInfo: {
      kind: 'object',
      about: 'the computer as a product',
      members: {
        manufacturer: text('who made it', 'HardwareManufacturer'),
        model: text('the model', 'HardwareModel'),
        assetTag: text('the asset tag', 'HardwareAssetTag'),
      },
    },
    batteries: { kind: 'texts', about: 'the names of the batteries', fields: ['BatteryName'] },
    other: {
      kind: 'map',
      about: 'what the report holds beyond these, by its own names',
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
        id: text('its id'),
        name: text('its name'),
        size: text('its size'),
        modified: text('when it was changed last'),
      },
    },
    lastBootDate: text('when the computer started last', 'LastBootDate'),
    journalEntries: { kind: 'texts', about: 'entries of the journal', fields: ['JournalEntries'] },
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
        id: text('its id'),
        name: text('its name'),
        created: text('when it was created'),
        lastLogin: text('when it logged in last'),
        status: text('its status'),
        group: text('its group'),
      },
    },
    operatingSystem: {
      kind: 'object',
      about: 'the operating system',
      members: {
        type: text('its name', 'OsType'),
        installDate: text('when it was installed', 'OsInstallDate'),
      },
    },
    settingTimeZone: text('the time zone', 'SettingsTimezone'),
    lastLogonUserName: text('who logged on last', 'LastLogonUserName'),
    externalIp: text('the address it is seen under; several are joined by ", "', 'ExternalIp'),
    other: {
      kind: 'map',
      about: 'what the report holds beyond these, by its own names',
      fields: 'all',
    },
  },
};
