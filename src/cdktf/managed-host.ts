import type { TerraformProvider, TerraformResourceLifecycle } from 'cdktf';
import { Construct } from 'constructs';
import { ungroupedId } from '../core/model/observed.ts';
import {
  checkDuration,
  checkGroupId,
  checkHostId,
  checkHostName,
  checkText,
  oneOfWords,
  refuse,
} from './faults.ts';
import { Host, type HostConfig } from './generated/bindings.ts';
import { groupArguments, type IHostGroup } from './host-group-ref.ts';
import { HostById, HostByName, type IManagedHost } from './host-reference.ts';
import { literal } from './literal.ts';

/** Texts are literal: `${` and `%{` are ordinary characters. Tokens stay tokens. */
export interface ManagedHostProps {
  /** The id of the host to adopt. If it is not set, `name` and `previously` identify the host. */
  readonly hostId?: string;
  /** The intended name of the host; the name is left alone when absent. */
  readonly name?: string;
  /** Earlier names of the host, if it is identified by its name. */
  readonly previously?: readonly string[];
  /** The intended group, or null for no group; the group is left alone when absent. */
  readonly group?: string | IHostGroup | null;
  /** Install the vendor's anti-virus. It is never uninstalled. */
  readonly antivirus?: 'installed';
  /** What happens to the host when the construct is removed from the stack; `forget` when absent. */
  readonly onDestroy?: 'forget' | 'delete' | 'prevent';
  /** How long to wait for a host that is not in the account yet, such as `15m`. */
  readonly waitForEnrollment?: string;
  /** The provider to use, if the stack has several. */
  readonly provider?: TerraformProvider;
  readonly lifecycle?: TerraformResourceLifecycle;
}

const mark = Symbol.for('rampart.cdktf.ManagedHost');

/**
 * A host whose name, group and anti-virus the stack manages. The construct's id becomes its address in Terraform's
 * state: use an id that never changes, such as an asset number, so that a rename does not replace the resource. Throws
 * an Error that lists every problem with the properties.
 *
 * @example
 * const berlin = HostGroup.fromName(stack, 'berlin', 'Berlin Servers');
 * new ManagedHost(stack, 'web-1', { hostId: '9007199254740993', name: 'BER-WEB-01', group: berlin });
 */
export class ManagedHost extends Construct implements IManagedHost {
  static isManagedHost(value: unknown): value is ManagedHost {
    return typeof value === 'object' && value !== null && mark in value;
  }

  /** A host that is managed elsewhere, or not at all. */
  static fromHostId(scope: Construct, id: string, hostId: string): IManagedHost {
    return new HostById(scope, id, hostId);
  }

  /** The same, found by its exact name whenever Terraform reads the fleet. */
  static fromName(scope: Construct, id: string, name: string): IManagedHost {
    return new HostByName(scope, id, name);
  }

  readonly resource: Host;
  /** Whether this construct sets the group of the host. */
  readonly managesGroup: boolean;

  constructor(scope: Construct, id: string, props: ManagedHostProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    refuse(this, faultsOf(props));
    this.managesGroup = props.group !== undefined;
    this.resource = new Host(this, 'Default', configOf(props));
  }

  get hostId(): string {
    return this.resource.id;
  }

  /** The name of the host in messages. */
  get name(): string {
    return this.resource.name;
  }
}

function configOf({ name, previously, group, ...rest }: ManagedHostProps): HostConfig {
  return {
    ...rest,
    ...(name === undefined ? {} : { name: literal(name) }),
    ...(previously === undefined ? {} : { previously: previously.map(literal) }),
    ...(group === undefined ? {} : argumentsOf(group)),
  };
}

function argumentsOf(group: string | IHostGroup | null): Pick<HostConfig, 'group' | 'groupId'> {
  if (group === null) return { groupId: ungroupedId };
  return groupArguments(typeof group === 'string' ? { groupName: group } : group);
}

function faultsOf(props: ManagedHostProps): readonly string[] {
  const { hostId, name, previously = [], group, waitForEnrollment, onDestroy, antivirus } = props;
  return [
    ...(hostId === undefined && name === undefined ? ['set hostId or name'] : []),
    ...checkHostId('hostId', hostId),
    ...checkHostName('name', name),
    ...previously.flatMap((each, index) => checkText(`previously[${index}]`, each)),
    ...(typeof group === 'object' && group !== null
      ? [
          ...(group.groupName === undefined || group.groupId === undefined
            ? []
            : ['group has a groupName and a groupId: set only one']),
          ...checkText('group', group.groupName),
          ...checkGroupId('group', group.groupId),
        ]
      : group === null
        ? []
        : checkText('group', group)),
    ...oneOfWords('installed')('antivirus', antivirus),
    ...oneOfWords('forget', 'delete', 'prevent')('onDestroy', onDestroy),
    ...checkDuration('waitForEnrollment', waitForEnrollment),
  ];
}
