import {
  type ImportableResource,
  type IResolvable,
  type TerraformMetaArguments,
  type TerraformProvider,
} from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { importable, RampartResource } from './rampart-resource.ts';
import type { Shape } from './shape.ts';

/** Set either `hostId` or `name`. In texts, `${…}` is a Terraform expression. */
export interface HostConfig extends TerraformMetaArguments {
  /** The id of the host to adopt. If it is not set, `name` and `previously` identify the host. */
  readonly hostId?: string;
  /** The intended name of the host. */
  readonly name?: string;
  /** Earlier names of the host, used only if no host has the name. */
  readonly previously?: string[];
  /** The name of the intended group. */
  readonly group?: string;
  /** The id of the intended group instead of its name; `-1` for no group. */
  readonly groupId?: string;
  /** `installed` to install the vendor's anti-virus. It is never uninstalled. */
  readonly antivirus?: string;
  /** What to do when the resource is destroyed: `forget` (the default), `delete` or `prevent`. */
  readonly onDestroy?: string;
  /** How long to wait for a host that is not in the account yet, such as `15m`. */
  readonly waitForEnrollment?: string;
}

const shape = {
  attributes: {
    id: { type: 'string', computed: true },
    host_id: { type: 'string', optional: true, computed: true },
    name: { type: 'string', optional: true, computed: true },
    previously: { type: { list: 'string' }, optional: true },
    group: { type: 'string', optional: true, computed: true },
    group_id: { type: 'string', optional: true },
    antivirus: { type: 'string', optional: true },
    on_destroy: { type: 'string', optional: true, computed: true },
    wait_for_enrollment: { type: 'string', optional: true },
    adopted_name: { type: 'string', computed: true },
    adopted_group: { type: 'string', computed: true },
    online: { type: 'bool', computed: true },
    host_name: { type: 'string', computed: true },
    status: { type: 'string', computed: true },
  },
} as const satisfies Shape;

/**
 * A `rampart_host`: a host that is already in the account, with its intended name, group and anti-virus.
 *
 * @example
 * new Host(stack, 'web', { hostId: '9007199254740993', name: 'BER-WEB-01', group: 'Berlin Servers' });
 */
export class Host extends RampartResource<HostConfig> {
  static readonly tfResourceType = 'rampart_host';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** Makes `cdktf plan` write the configuration of a host that is not managed yet; `importId` is its id or its name. */
  static generateConfigForImport(
    scope: Construct,
    id: string,
    importId: string,
    provider?: TerraformProvider,
  ): ImportableResource {
    return importable(scope, id, { terraformResourceType: Host.tfResourceType, importId }, provider);
  }

  constructor(scope: Construct, id: string, config: HostConfig) {
    super(scope, id, config, Host);
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

  get previously(): string[] {
    return this.getListAttribute('previously');
  }

  get group(): string {
    return this.getStringAttribute('group');
  }

  get groupId(): string {
    return this.getStringAttribute('group_id');
  }

  get antivirus(): string {
    return this.getStringAttribute('antivirus');
  }

  get onDestroy(): string {
    return this.getStringAttribute('on_destroy');
  }

  get waitForEnrollment(): string {
    return this.getStringAttribute('wait_for_enrollment');
  }

  /** The name of the host when it was adopted. */
  get adoptedName(): string {
    return this.getStringAttribute('adopted_name');
  }

  /** The name of the group when the host was adopted; null for none. */
  get adoptedGroup(): string {
    return this.getStringAttribute('adopted_group');
  }

  /** Whether it was online when the resource last changed. */
  get online(): IResolvable {
    return this.getBooleanAttribute('online');
  }

  /** The computer name; null if the service does not report one. */
  get hostName(): string {
    return this.getStringAttribute('host_name');
  }

  /** `settled`, `unverified`, `temporary-name`, `installing` or `in-doubt`. */
  get status(): string {
    return this.getStringAttribute('status');
  }
}
