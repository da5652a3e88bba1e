import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { hostFacts } from './host-facts.ts';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { Shape } from './shape.ts';
import { type TokensOf, tokensAt } from './tokens-at.ts';

export interface DataRampartHostsConfig extends TerraformMetaArguments {
  /** An expression in CEL that is true of the hosts to give, such as `host.group == "Berlin"`; all when absent. */
  readonly where?: string;
}

const shape = {
  attributes: {
    where: { type: 'string', optional: true },
    ids: { type: { list: 'string' }, computed: true },
    hosts: { nested: 'list', computed: true, attributes: hostFacts },
  },
} as const satisfies Shape;

/**
 * The hosts of the account, all or those that an expression chooses.
 *
 * @example
 * const kiosks = new DataRampartHosts(stack, 'kiosks', { where: 'host.group == "Kiosks"' });
 * new TerraformOutput(stack, 'ids', { value: kiosks.ids });
 */
export class DataRampartHosts extends RampartDataSource<DataRampartHostsConfig> {
  static readonly tfResourceType = 'rampart_hosts';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartHostsConfig = {}) {
    super(scope, id, config, DataRampartHosts);
  }

  get where(): string {
    return this.getStringAttribute('where');
  }

  /** Their ids, in the order of the service. */
  get ids(): string[] {
    return this.getListAttribute('ids');
  }

  /** The hosts as a list, for iterators: `TerraformIterator.fromComplexList(data.hosts, 'id')`. */
  get hosts(): IResolvable {
    return this.interpolationForAttribute('hosts');
  }

  /** What the list says of one of them, counted from 0. */
  host(index: number): TokensOf<typeof hostFacts> {
    return tokensAt(this.hosts, index, hostFacts);
  }
}
