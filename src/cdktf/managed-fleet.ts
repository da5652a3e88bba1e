import { basename } from 'node:path';
import { TerraformIterator, TerraformLocal, type TerraformProvider } from 'cdktf';
import { Construct } from 'constructs';
import { defined } from '../core/lib/defined.ts';
import type { Desired } from '../core/model/desired.ts';
import type { Entry } from '../core/model/entry.ts';
import { type GroupIntent, type HostId, ungroupedId } from '../core/model/observed.ts';
import type { ChangeKind } from '../core/model/policy.ts';
import { readGiven } from '../input/sources/project.ts';
import type { FleetSource } from '../input/typescript/define-fleet.ts';
import { type DesiredText, readYaml, textOfFleet } from './desired-text.ts';
import { oneOfWords, refuse } from './faults.ts';
import { Fleet, Host } from './generated/bindings.ts';
import type { IHostGroup } from './host-group-ref.ts';
import { escaped, nothing } from './literal.ts';
import { ManagedHost } from './managed-host.ts';

/** `fleet`: one resource for all hosts; `hosts`: one for each host; `forEach`: one with an instance for each host. */
export type FleetForm = 'fleet' | 'hosts' | 'forEach';

export interface ManagedFleetOptions {
  /**
   * The contents of the files that `hostsFrom` and `tables` of the desired state name, by their paths there:
   * `{ 'assets.csv': readFileSync('assets.csv', 'utf8') }`.
   */
  readonly tables?: Readonly<Record<string, string>>;
  /**
   * The form in Terraform. When absent: `hosts` for at most 100 hosts if that form can express everything, else
   * `fleet`. Only `fleet` supports rules, policies, deletions and hosts without ids. If you change the form, Terraform
   * destroys the old resources, and the new ones adopt the same hosts: the hosts stay unchanged unless `onDestroy`
   * deletes them.
   */
  readonly form?: FleetForm;
  /** Approval of changes over a limit, by kind and exact number. Only for the form `fleet`. */
  readonly acks?: Readonly<Partial<Record<ChangeKind, number>>>;
  /** Skip changes that are blocked, and make the others. Only for the form `fleet`. */
  readonly skipBlocked?: boolean;
  /** Delete before anything else. This saves calls, but a deletion can't be undone. Only for the form `fleet`. */
  readonly deleteFirst?: boolean;
  /** Treat a host that has not enrolled yet as an error. Only for the form `fleet`. */
  readonly strict?: boolean;
  /** The number of the change ticket, for the record of each run. Only for the form `fleet`. */
  readonly ticket?: string;
  /**
   * What happens to a host that is removed from the desired state; `forget` when absent. Only for the forms `hosts` and
   * `forEach`.
   */
  readonly onDestroy?: 'forget' | 'delete' | 'prevent';
  /** The provider to use, if the stack has several. */
  readonly provider?: TerraformProvider;
}

export interface ManagedFleetProps extends ManagedFleetOptions {
  /** The text of a desired state in YAML, or the result of `defineFleet`. */
  readonly desiredState: string | FleetSource;
  /** The name of the text in messages; `fleet.yaml` when absent. */
  readonly file?: string;
}

const mark = Symbol.for('rampart.cdktf.ManagedFleet');
const mostHosts = 100;

/**
 * A whole desired state in a stack, checked when the stack is built. Texts are literal. Addresses in Terraform's state
 * contain the ids of the hosts, so a rename is an update in place. Throws an Error that lists every problem.
 *
 * @example
 * ManagedFleet.fromYaml(stack, 'offices', 'fleet.yaml');
 * ManagedFleet.fromDesiredState(stack, 'lab', defineFleet({ hosts: [{ id: 1001, name: 'LAB-01' }] }));
 */
export class ManagedFleet extends Construct {
  static isManagedFleet(value: unknown): value is ManagedFleet {
    return typeof value === 'object' && value !== null && mark in value;
  }

  /** A file, relative to the working directory of the program. Links that lead out of its project are refused. */
  static fromYaml(
    scope: Construct,
    id: string,
    path: string,
    options: ManagedFleetOptions = {},
  ): ManagedFleet {
    const read = readGiven(path, process.cwd());
    if (!read.ok) {
      const where = scope.node.path === '' ? id : `${scope.node.path}/${id}`;
      throw new Error(`${where}: ${read.problems.map(({ message }) => message).join('; ')}`);
    }
    const desiredState = Buffer.from(read.value.bytes).toString();
    return new ManagedFleet(scope, id, { ...options, desiredState, file: basename(path) });
  }

  /** The result of `defineFleet`; await promises first. */
  static fromDesiredState(
    scope: Construct,
    id: string,
    desiredState: FleetSource,
    options: ManagedFleetOptions = {},
  ): ManagedFleet {
    return new ManagedFleet(scope, id, { ...options, desiredState });
  }

  readonly form: FleetForm;
  /** Its only resource; absent if each host has its own. */
  readonly resource?: Fleet | Host;
  /** The hosts by their ids, if each has its own resource. */
  readonly hosts: ReadonlyMap<string, ManagedHost>;

  constructor(scope: Construct, id: string, props: ManagedFleetProps) {
    super(scope, id);
    Object.defineProperty(this, mark, { value: true });
    const { desiredState, file = 'fleet.yaml', tables = {} } = props;
    const read =
      typeof desiredState === 'string'
        ? readYaml(file, desiredState, [], tables)
        : textOfFleet('fleet', desiredState, [], tables);
    if (!read.ok) {
      refuse(this, [...read.faults, ...oneOfWords('fleet', 'hosts', 'forEach')('form', props.form)]);
      throw new Error(`${this.node.path}: the desired state can't be read`);
    }
    const { desired } = read.value;
    const whole = whyOnlyWhole(desired);
    this.form = props.form ?? (whole.length === 0 && desired.count <= mostHosts ? 'hosts' : 'fleet');
    refuse(this, faultsOf(this.form, props, whole));
    this.hosts = new Map();
    if (this.form === 'hosts') this.hosts = this.#eachHost(separateHosts(desired), props);
    else if (this.form === 'forEach') this.resource = this.#iterated(separateHosts(desired), props);
    else this.resource = this.#whole(read.value, file, props);
  }

  #whole({ text }: DesiredText, file: string, props: ManagedFleetProps): Fleet {
    const { acks, skipBlocked, deleteFirst, strict, ticket, provider, tables } = props;
    return new Fleet(this, 'Default', {
      content: escaped(text),
      file: escaped(file),
      ...(tables && {
        tables: Object.fromEntries(Object.entries(tables).map(([path, text]) => [path, escaped(text)])),
      }),
      ...(acks && { acks: { ...acks } }),
      ...defined({ skipBlocked, deleteFirst, strict, ticket, provider }),
    });
  }

  #eachHost(
    hosts: readonly SeparateHost[],
    { onDestroy, provider }: ManagedFleetProps,
  ): ReadonlyMap<string, ManagedHost> {
    const common = {
      ...defined({ onDestroy, provider }),
    };
    return new Map(
      hosts.map(({ hostId, name, group, antivirus }) => [
        hostId,
        new ManagedHost(this, `host-${hostId}`, {
          hostId,
          ...defined({ name, group }),
          ...(antivirus ? { antivirus: 'installed' } : {}),
          ...common,
        }),
      ]),
    );
  }

  /**
   * The hosts are in a local value, because the arguments of a `for_each` would lose special characters in their keys.
   */
  #iterated(hosts: readonly SeparateHost[], { onDestroy, provider }: ManagedFleetProps): Host {
    const rows = hosts.map(({ hostId, name, group, antivirus }) => [
      hostId,
      {
        name: name === undefined ? nothing : escaped(name),
        group: group?.groupName === undefined ? nothing : escaped(group.groupName),
        group_id: group?.groupId ?? nothing,
        antivirus: antivirus ? 'installed' : nothing,
      },
    ]);
    const local = new TerraformLocal(this, 'hosts', Object.fromEntries(rows));
    const each = TerraformIterator.fromMap(local.asAnyMap);
    return new Host(this, 'Default', {
      forEach: each,
      hostId: each.key,
      name: each.getString('name'),
      group: each.getString('group'),
      groupId: each.getString('group_id'),
      antivirus: each.getString('antivirus'),
      ...defined({ onDestroy, provider }),
    });
  }
}

const ofFleet = ['acks', 'skipBlocked', 'deleteFirst', 'strict', 'ticket'] as const;

function faultsOf(form: FleetForm, props: ManagedFleetOptions, whole: readonly string[]): readonly string[] {
  const { acks = {} } = props;
  const isWhole = form === 'fleet';
  const foreign = isWhole ? (['onDestroy'] as const) : ofFleet;
  return [
    ...oneOfWords('fleet', 'hosts', 'forEach')('form', form),
    ...(isWhole ? [] : whole.map((each) => `the form "${form}" does not support ${each}`)),
    ...foreign
      .filter((name) => props[name] !== undefined)
      .map((name) => `${name} does not work with the form "${form}"`),
    ...Object.entries(acks)
      .filter(([, count]) => !Number.isSafeInteger(count) || count < 0)
      .map(([kind]) => `acks.${kind} must be a number of changes`),
    ...oneOfWords('forget', 'delete', 'prevent')('onDestroy', props.onDestroy),
  ];
}

/** An entry that a separate resource can express. */
interface SeparateHost {
  readonly hostId: HostId;
  readonly name?: string;
  readonly group?: IHostGroup;
  readonly antivirus: boolean;
}

/** The entries of a desired state for which `whyOnlyWhole` has found nothing. */
function separateHosts(desired: Desired): readonly SeparateHost[] {
  return entriesOf(desired).map(({ id, name, group, antivirus }) => ({
    hostId: id as HostId,
    ...defined({ name, group: group && referenceOf(group) }),
    antivirus,
  }));
}

/** The parts of a desired state that a resource for each host can't express. */
function whyOnlyWhole(desired: Desired): readonly string[] {
  const { rules, policy, knownDrift, limitPlaces = {}, companyId, identity } = desired;
  const entries = entriesOf(desired);
  const guards = [...policy.protect, ...policy.changes, ...policy.windows, ...policy.freezes];
  const has: Readonly<Record<string, boolean>> = {
    'entries without an id': entries.some(({ id }) => id === undefined),
    'absent hosts (ensure)': entries.some(({ ensure }) => ensure === 'absent'),
    'current names (current)': entries.some(({ current }) => current !== undefined),
    'protected hosts (protect)': entries.some(({ protect }) => protect !== undefined),
    'ignored attributes (ignore)': entries.some(({ ignore }) => ignore !== undefined),
    'keys of hosts (identity)': identity !== undefined,
    rules: rules.length > 0,
    'a policy': guards.length > 0 || Object.keys(limitPlaces).length > 0,
    'settings for whole groups (groups)': policy.groups.length > 0,
    'a setting for unmanaged hosts (unmanaged)': policy.unmanaged !== undefined,
    'known drift (knownDrift)': knownDrift.length > 0,
    'an account (account), which the provider sets': companyId !== undefined,
  };
  return Object.entries(has).flatMap(([words, holds]) => (holds ? [words] : []));
}

function entriesOf(desired: Desired): readonly Entry[] {
  return Array.from({ length: desired.count }, (_, index) => desired.at(index));
}

function referenceOf(group: GroupIntent): IHostGroup {
  switch (group.kind) {
    case 'named':
      return { groupName: group.name };
    case 'id':
      return { groupId: group.id };
    case 'ungrouped':
      return { groupId: ungroupedId };
  }
}
