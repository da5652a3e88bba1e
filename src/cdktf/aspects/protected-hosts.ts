import { quoted } from '../../core/lib/words.ts';
import { type ProtectedFrom, protectedFrom } from '../../core/model/entry.ts';
import { toHostId } from '../../core/model/observed.ts';
import type { HostClaim, MembersClaim, RuleClaim } from './claim.ts';
import {
  type AspectFinding,
  error,
  FleetAspect,
  type Here,
  type ReadClaim,
  warningFinding,
} from './fleet-aspect.ts';
import { faultOfGroups, type GroupRef, isGroup, stackGroupWords } from './group-ref.ts';
import { deletionWords } from './no-deletions.ts';
import { knownText, type StackText } from './stack-text.ts';

/** A host by its id or its name, preferably both. The values given here must stay, and a stack may repeat them. */
export interface ProtectedHost {
  readonly id?: string;
  readonly name?: string;
  readonly group?: GroupRef;
}

export interface ProtectedHostsProps {
  readonly hosts?: readonly ProtectedHost[];
  /** Groups whose hosts are protected, as far as the stack lists their members; nothing may empty such a group. */
  readonly groups?: readonly GroupRef[];
  /** The forbidden changes; `rename`, `move` and `delete` when absent. */
  readonly from?: readonly ProtectedFrom[];
}

/** Nothing in a stack may rename, move or delete these hosts. Rule `rampart:protected-hosts`. */
export class ProtectedHosts extends FleetAspect {
  readonly ruleId = 'rampart:protected-hosts';
  readonly #hosts: readonly ProtectedHost[];
  readonly #groups: readonly GroupRef[];
  readonly #from: readonly ProtectedFrom[];

  /** Throws if nothing is protected, or if a host or a group is not identified. */
  constructor({ hosts = [], groups = [], from = protectedFrom }: ProtectedHostsProps) {
    super();
    const fault = faultOfProps(hosts, groups, from);
    if (fault !== undefined) throw new Error(`ProtectedHosts: ${fault}`);
    this.#hosts = hosts;
    this.#groups = groups;
    this.#from = from;
  }

  protected check(claim: ReadClaim, here: Here): readonly AspectFinding[] {
    switch (claim.kind) {
      case 'host':
        return this.#ofHost(claim);
      case 'members':
        return this.#from.includes('move') ? this.#ofMembers(claim, here) : [];
      case 'rule':
        return this.#ofRule(claim);
    }
  }

  #ofHost(claim: HostClaim): readonly AspectFinding[] {
    const host = this.#hosts.find((each) => isMeant(each, claim));
    const group = this.#groups.find((each) => isGroup(each, claim.group));
    if (host === undefined && group === undefined) return isUnidentified(claim) ? [unknown(claim)] : [];
    const found: AspectFinding[] = [];
    const why =
      host === undefined ? `: a host of ${stackGroupWords(claim.group ?? { kind: 'ungrouped' })}` : '';
    const add = (from: ProtectedFrom, what: string) => {
      if (this.#from.includes(from))
        found.push(error(`${claim.title} is protected from ${nouns[from]}${why}, and ${what}`));
    };
    if (mayRename(claim, host)) add('rename', `would be renamed to ${nameWords(claim.name)}`);
    if (host !== undefined && claim.group !== undefined && !staysIn(claim.group, host))
      add('move', `would be moved to ${stackGroupWords(claim.group)}`);
    if (claim.deletes === 'now' || claim.deletes === 'with its resource') add('delete', deletionWords(claim));
    if (claim.deletes === 'later' && this.#from.includes('delete'))
      found.push(warningFinding(`only Terraform knows whether ${claim.title} is deleted with its resource`));
    return found;
  }

  #ofMembers(
    { group, hosts, exclusive, title }: MembersClaim,
    { construct, tree }: Here,
  ): readonly AspectFinding[] {
    const found: AspectFinding[] = [];
    if (exclusive !== false && this.#groups.some((each) => isGroup(each, group))) {
      const what = `${title}: every host that is not listed would be removed from ${stackGroupWords(group)}, which is protected`;
      found.push(exclusive === true ? error(what) : warningFinding(`only Terraform knows the mode: ${what}`));
    }
    const ids = hosts.flatMap((host) => [
      ...listed(knownText(host)),
      ...tree()
        .claimsOn(host, construct)
        .flatMap(({ id }) => listed(knownText(id))),
    ]);
    for (const host of this.#hosts) {
      const words = host.id === undefined ? quoted(host.name ?? '') : `host ${host.id}`;
      const isListed = host.id !== undefined && ids.includes(host.id);
      const isOwn = host.group !== undefined && isGroup(host.group, group);
      if (isListed && !isOwn && !staysIn(group, host))
        found.push(
          error(`${words} is protected from moves, and would be moved to ${stackGroupWords(group)}`),
        );
      if (isOwn && !isListed && exclusive === true)
        found.push(
          error(`${words} is protected from moves, and would be removed from ${stackGroupWords(group)}`),
        );
    }
    return found;
  }

  #ofRule({ title, renames, group, deletes }: RuleClaim): readonly AspectFinding[] {
    const may = [
      ...(renames && this.#from.includes('rename') ? ['rename'] : []),
      ...(group !== undefined && this.#from.includes('move') ? ['move'] : []),
      ...(deletes && this.#from.includes('delete') ? ['delete'] : []),
    ];
    if (may.length === 0) return [];
    return [
      warningFinding(
        `${title} may ${may.join(' or ')} protected hosts, which only a plan can check: also protect them with policy.protect`,
      ),
    ];
  }
}

const nouns: Readonly<Record<ProtectedFrom, string>> = {
  rename: 'renames',
  move: 'moves',
  delete: 'deletion',
};

function isMeant({ id, name }: ProtectedHost, claim: HostClaim): boolean {
  if (id !== undefined && knownText(claim.id) === id) return true;
  if (name === undefined || (id !== undefined && claim.id?.kind === 'known')) return false;
  return knownText(claim.name) === name || claim.previously.some((each) => knownText(each) === name);
}

/** True if nothing known identifies the host. */
function isUnidentified(claim: HostClaim): boolean {
  return claim.id === undefined ? claim.name?.kind === 'later' : claim.id.kind === 'later';
}

function unknown({ title }: HostClaim): AspectFinding {
  return warningFinding(
    `Rampart does not check whether ${title} is protected, because only Terraform knows its id and name`,
  );
}

/** A host that is found by its name keeps it, unless it may have another name now. */
function mayRename(claim: HostClaim, host: ProtectedHost | undefined): boolean {
  if (claim.name === undefined || claim.deletes === 'now') return false;
  if (host?.name !== undefined && knownText(claim.name) === host.name) return false;
  return claim.id !== undefined || claim.previously.length > 0;
}

function staysIn(group: NonNullable<HostClaim['group']>, host: ProtectedHost): boolean {
  return host.group !== undefined && isGroup(host.group, group);
}

function nameWords(name: StackText | undefined): string {
  const text = knownText(name);
  return text === undefined ? 'a name that only Terraform knows' : quoted(text);
}

function faultOfProps(
  hosts: readonly ProtectedHost[],
  groups: readonly GroupRef[],
  from: readonly ProtectedFrom[],
): string | undefined {
  if (hosts.length + groups.length === 0) return 'set hosts or groups';
  if (from.length === 0) return 'from is empty, so nothing would be protected';
  for (const { id, name } of hosts) {
    if (id === undefined && (name === undefined || name === '')) return 'a host with neither id nor name';
    if (id !== undefined && toHostId(id) === undefined) return `${quoted(id)} is not a host id`;
  }
  return faultOfGroups([...groups, ...hosts.flatMap(({ group }) => (group === undefined ? [] : [group]))]);
}

function listed(text: string | undefined): readonly string[] {
  return text === undefined ? [] : [text];
}
