import {
  type ImportableResource,
  type IResolvable,
  type TerraformMetaArguments,
  type TerraformProvider,
} from 'cdktf';
import type { Construct } from 'constructs';
import {
  type FleetGroupBlock,
  type FleetHostBlock,
  type FleetPolicyBlock,
  type FleetRuleBlock,
  fleetBlocks,
} from './fleet-blocks.ts';
import { providerVersion } from './provider-release.ts';
import { importable, RampartResource } from './rampart-resource.ts';
import type { Shape } from './shape.ts';

/**
 * Set the desired state either with `content` or with nested blocks. In texts, `${…}` is a Terraform expression: write
 * `$${…}` for an expression of the desired state.
 */
export interface FleetConfig extends TerraformMetaArguments {
  /** The desired state in YAML. Recommended for thousands of hosts. */
  readonly content?: string;
  /** The name of the content in messages; `fleet.yaml` when absent. */
  readonly file?: string;
  /** With nested blocks: refuse to work on any other account. */
  readonly companyId?: string;
  /** With nested blocks: hosts that no block claims are left alone (`ignore`), reported (`report`) or refused (`forbid`). */
  readonly unmanaged?: string;
  readonly host?: readonly FleetHostBlock[] | IResolvable;
  readonly rule?: readonly FleetRuleBlock[] | IResolvable;
  readonly group?: readonly FleetGroupBlock[] | IResolvable;
  readonly policy?: FleetPolicyBlock;
  /** Approval of changes above a limit of the policy, by kind and exact number: `{ delete: 28 }`. */
  readonly acks?: { [kind: string]: number };
  /** Skip changes that are blocked, and make the others. */
  readonly skipBlocked?: boolean | IResolvable;
  /** Delete before anything else. This saves calls, but a deletion can't be undone. */
  readonly deleteFirst?: boolean | IResolvable;
  /** Treat a host that has not enrolled yet as an error. */
  readonly strict?: boolean | IResolvable;
}

const shape = {
  attributes: {
    id: { type: 'string', computed: true },
    content: { type: 'string', optional: true },
    file: { type: 'string', optional: true },
    company_id: { type: 'string', optional: true },
    unmanaged: { type: 'string', optional: true },
    acks: { type: { map: 'number' }, optional: true },
    skip_blocked: { type: 'bool', optional: true },
    delete_first: { type: 'bool', optional: true },
    strict: { type: 'bool', optional: true },
    summary: { type: 'string', computed: true },
    counts: { type: { map: 'number' }, computed: true },
    calls: { type: 'number', computed: true },
    changes: { type: { map: 'string' }, computed: true },
    drift: { type: { map: 'string' }, computed: true },
    checksum: { type: 'string', computed: true },
    applied_at: { type: 'string', computed: true },
  },
  blocks: fleetBlocks,
} as const satisfies Shape;

/**
 * A `rampart_fleet`: a whole desired state as one resource.
 *
 * @example
 * new Fleet(stack, 'berlin', {
 *   host: [{ id: '1001', name: 'BER-WEB-01', group: 'Berlin Servers' }],
 *   policy: { limits: { delete: '0' } },
 * });
 */
export class Fleet extends RampartResource<FleetConfig> {
  static readonly tfResourceType = 'rampart_fleet';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** Makes `cdktf plan` write the configuration of a whole fleet; `importId` is the company id of its account. */
  static generateConfigForImport(
    scope: Construct,
    id: string,
    importId: string,
    provider?: TerraformProvider,
  ): ImportableResource {
    return importable(scope, id, { terraformResourceType: Fleet.tfResourceType, importId }, provider);
  }

  constructor(scope: Construct, id: string, config: FleetConfig) {
    super(scope, id, config, Fleet);
  }

  get id(): string {
    return this.getStringAttribute('id');
  }

  get content(): string {
    return this.getStringAttribute('content');
  }

  get file(): string {
    return this.getStringAttribute('file');
  }

  get companyId(): string {
    return this.getStringAttribute('company_id');
  }

  get unmanaged(): string {
    return this.getStringAttribute('unmanaged');
  }

  get acks(): Readonly<Record<string, number>> {
    return this.getNumberMapAttribute('acks');
  }

  get skipBlocked(): IResolvable {
    return this.getBooleanAttribute('skip_blocked');
  }

  get deleteFirst(): IResolvable {
    return this.getBooleanAttribute('delete_first');
  }

  get strict(): IResolvable {
    return this.getBooleanAttribute('strict');
  }

  /** The numbers of changes and calls in one line. */
  get summary(): string {
    return this.getStringAttribute('summary');
  }

  /** The number of renames, moves, anti-virus installs and deletions. */
  get counts(): Readonly<Record<string, number>> {
    return this.getNumberMapAttribute('counts');
  }

  /** The number of calls for these changes. */
  get calls(): number {
    return this.getNumberAttribute('calls');
  }

  /** The changes of each host in one line, by its id, until Terraform reads the resource again. */
  get changes(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('changes');
  }

  /** What differed from the desired state when Terraform last read the resource: one line for each host, by its id. */
  get drift(): Readonly<Record<string, string>> {
    return this.getStringMapAttribute('drift');
  }

  /** The checksum of the approved plan. */
  get checksum(): string {
    return this.getStringAttribute('checksum');
  }

  /** When changes were last made (RFC 3339). */
  get appliedAt(): string {
    return this.getStringAttribute('applied_at');
  }
}
