import { Lazy, type TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { defined } from '../core/lib/defined.ts';
import { checkGroupId, checkText, refuse } from './faults.ts';
import { GroupMembers } from './generated/bindings.ts';
import { groupArguments, type IHostGroup } from './host-group-ref.ts';
import type { IManagedHost } from './host-reference.ts';
import { ManagedHost } from './managed-host.ts';

/** Set either `groupName` or `groupId`. Texts are literal; tokens stay tokens. */
export interface HostGroupProps {
  /** The name of a group that was created in the console. */
  readonly groupName?: string;
  /** Its id. Use it if several groups have the same name. */
  readonly groupId?: string;
  readonly hosts?: readonly IManagedHost[];
  /** Remove every other host from the group, so that it is in no group. When absent, other hosts are left alone. */
  readonly exclusive?: boolean;
  /** Approve exactly this many evictions over the limit, for one apply. Needs `exclusive`. */
  readonly ack?: number;
  /** The provider to use, if the stack has several. */
  readonly provider?: TerraformProvider;
}

const mark = Symbol.for('rampart.cdktf.HostGroup');

/**
 * The members of a group. Manage the group of a host in one place: with `addHost`, or with the host's own `group`.
 * Synth fails if both set it, or if two groups do. Throws an Error that lists every problem with the properties.
 *
 * @example
 * const kiosks = new HostGroup(stack, 'kiosks', { groupName: 'Kiosks', exclusive: true });
 * kiosks.addHost(ManagedHost.fromHostId(stack, 'lobby', '1004'));
 */
export class HostGroup extends Construct implements IHostGroup {
  static isHostGroup(value: unknown): value is HostGroup {
    return typeof value === 'object' && value !== null && mark in value;
  }

  /** A group whose members are managed elsewhere, or not at all: for `group` of a host. */
  static fromName(scope: Construct, id: string, groupName: string): IHostGroup {
    const group = new GroupReference(scope, id, { groupName });
    refuse(group, checkText('groupName', groupName));
    return group;
  }

  /** The same for a group whose name is not unique. */
  static fromGroupId(scope: Construct, id: string, groupId: string): IHostGroup {
    const group = new GroupReference(scope, id, { groupId });
    refuse(group, checkGroupId('groupId', groupId));
    return group;
  }

  readonly resource: GroupMembers;
  readonly groupName?: string;
  readonly groupId?: string;
  readonly exclusive: boolean;
  /** The id of each host, as it was first read, because a token of another stack equals only itself. */
  readonly #hosts = new Map<IManagedHost, string>();

  constructor(scope: Construct, id: string, props: HostGroupProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const { groupName, groupId, hosts = [], exclusive = false, ack, provider } = props;
    refuse(this, [
      ...((groupName === undefined) === (groupId === undefined) ? ['set either groupName or groupId'] : []),
      ...checkText('groupName', groupName),
      ...checkGroupId('groupId', groupId),
      ...(ack !== undefined && !(exclusive && Number.isSafeInteger(ack) && ack >= 0)
        ? ['ack must be a number of hosts, and needs exclusive: true']
        : []),
    ]);
    if (groupName !== undefined) this.groupName = groupName;
    if (groupId !== undefined) this.groupId = groupId;
    this.exclusive = exclusive;
    this.resource = new GroupMembers(this, 'Default', {
      ...groupArguments(props),
      hostIds: Lazy.listValue({ produce: () => [...this.hostIds] }),
      ...(exclusive ? { mode: 'authoritative' } : {}),
      ...defined({ acks: ack === undefined ? undefined : { evict: ack }, provider }),
    });
    for (const host of hosts) this.addHost(host);
    this.node.addValidation({ validate: () => this.#faults() });
  }

  /** In the order in which they were added. */
  get hosts(): readonly IManagedHost[] {
    return [...this.#hosts.keys()];
  }

  /** Their ids, in the same order. */
  get hostIds(): readonly string[] {
    return [...this.#hosts.values()];
  }

  addHost(host: IManagedHost): void {
    if (!this.#hosts.has(host)) this.#hosts.set(host, host.hostId);
  }

  #faults(): string[] {
    const others = this.node.root.node
      .findAll()
      .filter((each) => HostGroup.isHostGroup(each))
      .filter((each) => each !== this)
      .map(({ node, hosts, hostIds }) => ({
        path: node.path,
        members: new Set<unknown>([...hosts, ...hostIds]),
      }));
    const errors = [...this.#hosts].flatMap(([host, hostId]) => [
      ...(ManagedHost.isManagedHost(host) && host.managesGroup
        ? [`${host.node.path} sets its own group, and is also added to this one`]
        : []),
      ...others
        .filter(({ members }) => members.has(host) || members.has(hostId))
        .map(({ path }) => `${host.node.path} is also added to ${path}`),
    ]);
    return this.exclusive && this.#hosts.size === 0
      ? ['an exclusive group without hosts would remove every host from the group: add hosts', ...errors]
      : errors;
  }
}

class GroupReference extends Construct implements IHostGroup {
  readonly groupName?: string;
  readonly groupId?: string;

  constructor(scope: Construct, id: string, { groupName, groupId }: IHostGroup) {
    super(scope, id);
    if (groupName !== undefined) this.groupName = groupName;
    if (groupId !== undefined) this.groupId = groupId;
  }
}
