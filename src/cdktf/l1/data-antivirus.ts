import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { AttributeShapes, Shape } from './shape.ts';
import { type TokensOf, tokensAt } from './tokens-at.ts';

export interface DataRampartAntivirusConfig extends TerraformMetaArguments {
  /** The ids of the hosts; all hosts in the list when absent. */
  readonly hostIds?: string[];
}

const antivirusFacts = {
  installed: { type: 'bool', computed: true },
  supported: { type: 'bool', computed: true },
  product: { type: 'string', computed: true },
  status: { type: 'string', computed: true },
  real_time_protection: { type: 'bool', computed: true },
  definitions_up_to_date: { type: 'bool', computed: true },
  definition_version: { type: 'string', computed: true },
  last_full_scan: { type: 'string', computed: true },
  threats: { type: 'number', computed: true },
} as const satisfies AttributeShapes;

const shape = {
  attributes: {
    host_ids: { type: { set: 'string' }, optional: true },
    hosts: { nested: 'map', computed: true, attributes: antivirusFacts },
  },
} as const satisfies Shape;

/**
 * The anti-virus status of hosts, as the service reports it.
 *
 * @example
 * const antivirus = new DataRampartAntivirus(stack, 'antivirus');
 * new TerraformOutput(stack, 'threats', { value: antivirus.host('1001').threats });
 */
export class DataRampartAntivirus extends RampartDataSource<DataRampartAntivirusConfig> {
  static readonly tfResourceType = 'rampart_antivirus';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartAntivirusConfig = {}) {
    super(scope, id, config, DataRampartAntivirus);
  }

  get hostIds(): string[] {
    return this.getListAttribute('host_ids');
  }

  /** By host id, without those that the list leaves out. */
  get hosts(): IResolvable {
    return this.interpolationForAttribute('hosts');
  }

  /** What is known of one host, by its id. */
  host(hostId: string): TokensOf<typeof antivirusFacts> {
    return tokensAt(this.hosts, hostId, antivirusFacts);
  }
}
