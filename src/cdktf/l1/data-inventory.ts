import type { TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { Shape } from './shape.ts';

export interface DataRampartInventoryConfig extends TerraformMetaArguments {
  /** The ids of the hosts. */
  readonly hostIds: string[];
  /** Which fields, in the service's spelling, such as `ServiceTag` or `OsType`; all when absent. */
  readonly fields?: string[];
  /** How old what is known already may be, such as `6h`; `24h` when absent. */
  readonly maxAge?: string;
}

const shape = {
  attributes: {
    host_ids: { type: { set: 'string' }, required: true },
    fields: { type: { set: 'string' }, optional: true },
    max_age: { type: 'string', optional: true },
    values: { type: { map: { map: 'string' } }, computed: true },
    fetched_at: { type: { map: 'string' }, computed: true },
  },
} as const satisfies Shape;

abstract class DataRampartInventory extends RampartDataSource<DataRampartInventoryConfig> {
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  get hostIds(): string[] {
    return this.getListAttribute('host_ids');
  }

  get fields(): string[] {
    return this.getListAttribute('fields');
  }

  get maxAge(): string {
    return this.getStringAttribute('max_age');
  }

  /** By host id, and in each by the path of the value. A host without inventory is left out. */
  get values(): Readonly<Record<string, unknown>> {
    return this.getAnyMapAttribute('values');
  }

  /** When it was fetched, by host id. */
  get fetchedAt(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('fetched_at');
  }
}

/**
 * The hardware inventory of hosts, from the service's reports: about one report a minute, of 50 hosts each.
 *
 * @example
 * const hardware = new DataRampartHardwareInventory(stack, 'hardware', { hostIds: ['1001'], fields: ['ServiceTag'] });
 */
export class DataRampartHardwareInventory extends DataRampartInventory {
  static readonly tfResourceType = 'rampart_hardware_inventory';

  constructor(scope: Construct, id: string, config: DataRampartInventoryConfig) {
    super(scope, id, config, DataRampartHardwareInventory);
  }
}

/**
 * The system inventory of hosts, from the service's reports: about one report a minute, of 50 hosts each.
 *
 * @example
 * const system = new DataRampartSystemInventory(stack, 'system', { hostIds: ['1001'], fields: ['OsType'] });
 */
export class DataRampartSystemInventory extends DataRampartInventory {
  static readonly tfResourceType = 'rampart_system_inventory';

  constructor(scope: Construct, id: string, config: DataRampartInventoryConfig) {
    super(scope, id, config, DataRampartSystemInventory);
  }
}
