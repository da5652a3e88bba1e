import { Lazy, type TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { checkGroupId, checkText, refuse } from './faults.ts';
import { groupArguments, type IHostGroup } from './host-group-ref.ts';
import type { IManagedHost } from './host-reference.ts';
import { GroupMembers } from './l1/group-members.ts';
import { ManagedHost } from './managed-host.ts';

/** Either `groupName` or `groupId` says which group it is. Texts are literal; tokens stay tokens. */
export interface HostGroupProps {
  /** The name of a group that was made in the console. */
  readonly groupName?: string;
  /** Its id. Use it if several groups have the same name. */
  readonly groupId?: string;
  readonly hosts?: readonly IManagedHost[];
  /** Take every other host out of the group, to no group. When absent, other hosts are left alone. */
  readonly exclusive?: boolean;
  /** Approve exactly this many evictions above the limit, for one apply; with `exclusive`. */
  readonly ack?: number;
  /** Which of the stack's providers. */
  readonly provider?: TerraformProvider;
}

const mark = Symbol.for('rampart.cdktf.HostGroup');

/**
 * Which hosts are in a group. A host's group is managed in one place: by `addHost`, or by the host's own `group`;
 * synth fails where both say it, or two groups do. Throws an Error that lists everything that is wrong with the
 * properties.
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

  /** The same for a group whose name is not its own. */
  static fromGroupId(scope: Construct, id: string, groupId: string): IHostGroup {
    const group = new GroupReference(scope, id, { groupId });
    refuse(group, checkGroupId('groupId', groupId));
    return group;
  }

  readonly resource: GroupMembers;
  readonly groupName?: string;
  readonly groupId?: string;
  readonly exclusive: boolean;
  /** By host, its id as it was first read: a token of another stack is only itself. */
  readonly #hosts = new Map<IManagedHost, string>();

  constructor(scope: Construct, id: string, props: HostGroupProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const { groupName, groupId, hosts = [], exclusive = false, ack, provider } = props;
    refuse(this, [
      ...((groupName === undefined) === (groupId === undefined)
        ? ['either groupName or groupId says which group it is']
        : []),
      ...checkText('groupName', groupName),
      ...checkGroupId('groupId', groupId),
      ...(ack !== undefined && !(exclusive && Number.isSafeInteger(ack) && ack >= 0)
        ? ['ack is the exact number of hosts that leave an exclusive group']
        : []),
    ]);
    if (groupName !== undefined) this.groupName = groupName;
    if (groupId !== undefined) this.groupId = groupId;
    this.exclusive = exclusive;
    this.resource = new GroupMembers(this, 'Default', {
      ...groupArguments(props),
      hostIds: Lazy.listValue({ produce: () => [...this.hostIds] }),
      ...(exclusive ? { mode: 'authoritative' } : {}),
      ...(ack === undefined ? {} : { acks: { evict: ack } }),
      ...(provider === undefined ? {} : { provider }),
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
        ? [`${host.node.path} says its group itself, and is added to this one`]
        : []),
      ...others
        .filter(({ members }) => members.has(host) || members.has(hostId))
        .map(({ path }) => `${host.node.path} is added to ${path}, too`),
    ]);
    return this.exclusive && this.#hosts.size === 0
      ? ['an exclusive group without hosts would put every host out of it: add hosts', ...errors]
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
