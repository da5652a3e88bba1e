import { type ImportableResource, type TerraformMetaArguments, type TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { importable, RampartResource } from './rampart-resource.ts';
import type { Shape } from './shape.ts';

/** Set either `group` or `groupId`. In texts, `${…}` is a Terraform expression. */
export interface GroupMembersConfig extends TerraformMetaArguments {
  /** The group's name. */
  readonly group?: string;
  /** The group's id. Use it if several groups have the same name. */
  readonly groupId?: string;
  /** The ids of the hosts that should be in the group. */
  readonly hostIds: string[];
  /** `additive` (the default) leaves other hosts alone, `authoritative` removes them from the group. */
  readonly mode?: string;
  /** Approve the exact number of evictions over the limit: `{ evict: 28 }`. */
  readonly acks?: { [kind: string]: number };
}

const shape = {
  attributes: {
    id: { type: 'string', computed: true },
    group: { type: 'string', optional: true },
    group_id: { type: 'string', optional: true },
    host_ids: { type: { set: 'string' }, required: true },
    mode: { type: 'string', optional: true, computed: true },
    acks: { type: { map: 'number' }, optional: true },
    joins: { type: { map: 'string' }, computed: true },
    evicts: { type: { map: 'string' }, computed: true },
  },
} as const satisfies Shape;

/**
 * A `rampart_group_members`: the members of a group that was created in the console.
 *
 * @example
 * new GroupMembers(stack, 'kiosks', { group: 'Kiosks', hostIds: ['1004', '1005'], mode: 'authoritative' });
 */
export class GroupMembers extends RampartResource<GroupMembersConfig> {
  static readonly tfResourceType = 'rampart_group_members';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** Makes `cdktf plan` write the configuration of a whole group; `importId` is its id or its name. */
  static generateConfigForImport(
    scope: Construct,
    id: string,
    importId: string,
    provider?: TerraformProvider,
  ): ImportableResource {
    return importable(scope, id, { terraformResourceType: GroupMembers.tfResourceType, importId }, provider);
  }

  constructor(scope: Construct, id: string, config: GroupMembersConfig) {
    super(scope, id, config, GroupMembers);
  }

  /** The group's id. */
  get id(): string {
    return this.getStringAttribute('id');
  }

  get group(): string {
    return this.getStringAttribute('group');
  }

  get groupId(): string {
    return this.getStringAttribute('group_id');
  }

  get hostIds(): string[] {
    return this.getListAttribute('host_ids');
  }

  get mode(): string {
    return this.getStringAttribute('mode');
  }

  get acks(): Readonly<Record<string, number>> {
    return this.getNumberMapAttribute('acks');
  }

  /** The hosts that the plan moves into the group, with the group that each of them leaves, by the host's id. */
  get joins(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('joins');
  }

  /** The hosts that the plan removes from the group, by the host's id. */
  get evicts(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('evicts');
  }
}
