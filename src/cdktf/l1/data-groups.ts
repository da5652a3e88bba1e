import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { AttributeShapes, Shape } from './shape.ts';
import { type TokensOf, tokensAt } from './tokens-at.ts';

export type DataRampartGroupsConfig = TerraformMetaArguments;

const groupFacts = {
  id: { type: 'string', computed: true },
  name: { type: 'string', computed: true },
  size: { type: 'number', computed: true },
} as const satisfies AttributeShapes;

const shape = {
  attributes: {
    groups: { nested: 'list', computed: true, attributes: groupFacts },
    ids: { type: { map: 'string' }, computed: true },
  },
} as const satisfies Shape;

/**
 * The groups of the account.
 *
 * @example
 * const groups = new DataRampartGroups(stack, 'groups');
 * new TerraformOutput(stack, 'berlin', { value: Fn.lookup(groups.ids, 'Berlin Servers', '') });
 */
export class DataRampartGroups extends RampartDataSource<DataRampartGroupsConfig> {
  static readonly tfResourceType = 'rampart_groups';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartGroupsConfig = {}) {
    super(scope, id, config, DataRampartGroups);
  }

  /** The groups as a list, for iterators. */
  get groups(): IResolvable {
    return this.interpolationForAttribute('groups');
  }

  /** Ids by name, of groups whose name no other has. */
  get ids(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('ids');
  }

  /** One of the groups, counted from 0: its `id`, its `name` and how many hosts are in it. */
  group(index: number): TokensOf<typeof groupFacts> {
    return tokensAt(this.groups, index, groupFacts);
  }
}
