import type { TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { Shape } from './shape.ts';

export interface DataRampartCustomFieldValuesConfig extends TerraformMetaArguments {
  /** The ids of the hosts; all that have any when absent. */
  readonly hostIds?: string[];
}

const shape = {
  attributes: {
    host_ids: { type: { set: 'string' }, optional: true },
    values: { type: { map: { map: 'string' } }, computed: true },
  },
} as const satisfies Shape;

/**
 * The custom fields of hosts.
 *
 * @example
 * const fields = new DataRampartCustomFieldValues(stack, 'fields', { hostIds: ['1001'] });
 */
export class DataRampartCustomFieldValues extends RampartDataSource<DataRampartCustomFieldValuesConfig> {
  static readonly tfResourceType = 'rampart_custom_field_values';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartCustomFieldValuesConfig = {}) {
    super(scope, id, config, DataRampartCustomFieldValues);
  }

  get hostIds(): string[] {
    return this.getListAttribute('host_ids');
  }

  /** By host id, and in each by the name of the category. */
  get values(): Readonly<Record<string, unknown>> {
    return this.getAnyMapAttribute('values');
  }
}
