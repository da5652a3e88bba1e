import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { hostFacts } from './host-facts.ts';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { Shape } from './shape.ts';

/** One of the two; text is Terraform's, where `${…}` is an expression. */
export interface DataRampartHostConfig extends TerraformMetaArguments {
  /** The id to find. */
  readonly hostId?: string;
  /** The exact name to find. */
  readonly name?: string;
}

const shape = {
  attributes: {
    ...hostFacts,
    host_id: { type: 'string', optional: true, computed: true },
    name: { type: 'string', optional: true, computed: true },
  },
} as const satisfies Shape;

/**
 * One host, by its id or its name.
 *
 * @example
 * const lobby = new DataRampartHost(stack, 'lobby', { name: 'BER-LOBBY' });
 */
export class DataRampartHost extends RampartDataSource<DataRampartHostConfig> {
  static readonly tfResourceType = 'rampart_host';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartHostConfig) {
    super(scope, id, config, DataRampartHost);
  }

  get id(): string {
    return this.getStringAttribute('id');
  }

  get hostId(): string {
    return this.getStringAttribute('host_id');
  }

  get name(): string {
    return this.getStringAttribute('name');
  }

  /** The name of its group; null if it is in no group. */
  get group(): string {
    return this.getStringAttribute('group');
  }

  /** The id of its group; `-1` if it is in no group. */
  get groupId(): string {
    return this.getStringAttribute('group_id');
  }

  get online(): IResolvable {
    return this.getBooleanAttribute('online');
  }

  /** The computer name; null if the service does not report one. */
  get hostName(): string {
    return this.getStringAttribute('host_name');
  }

  /** When it last came online or went offline, as the service writes it. */
  get stateChangedAt(): string {
    return this.getStringAttribute('state_changed_at');
  }
}
