import { TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { HostClaim, MembersClaim, RuleClaim } from './claim.ts';
import { claimsOf } from './claims-of.ts';
import type { StackText } from './stack-text.ts';

/** The claims of all stacks of an app, by host. */
export interface ClaimTree {
  /** All claims on a host that is identified by its id, or by its resource. */
  claimsOn(host: StackText, from: IConstruct): readonly HostClaim[];
  /** Whether anything puts a host in a group, or may do so because only Terraform knows the hosts. */
  isMember(host: HostClaim, from: IConstruct): boolean | 'later';
  /** Whether anything installs the anti-virus on a host. */
  isCovered(host: HostClaim | StackText, from: IConstruct): boolean | 'later';
}

/** Reads a whole app, once for each synth. */
export function readClaimTree(root: IConstruct): ClaimTree {
  const hosts = new Map<string, HostClaim[]>();
  const members = new Set<string>();
  const covered = new Set<string>();
  const unsure = { members: false, covered: false };
  const all = { members: false, covered: false };

  const addHost = (claim: HostClaim, from: IConstruct): void => {
    const keys = keysOf(claim, from);
    for (const key of keys) hosts.set(key, [...(hosts.get(key) ?? []), claim]);
    const grouped = claim.group !== undefined && claim.group.kind !== 'ungrouped';
    if (grouped) addAll(members, keys);
    if (claim.antivirus === true) addAll(covered, keys);
    if (claim.id === undefined || keyOf(claim.id, from) !== undefined) return;
    unsure.members ||= grouped;
    unsure.covered ||= claim.antivirus === true;
  };
  const addMembers = (claim: MembersClaim, from: IConstruct): void => {
    for (const host of claim.hosts) {
      const key = keyOf(host, from);
      if (key === undefined) unsure.members = true;
      else members.add(key);
    }
  };
  const addRule = ({ hosts: whom, group, antivirus }: RuleClaim, from: IConstruct): void => {
    const grouped = group !== undefined && group.kind !== 'ungrouped';
    if (whom === 'all') {
      all.members ||= grouped;
      all.covered ||= antivirus;
      return;
    }
    const keys = whom === 'some' ? [undefined] : whom.map((host) => keyOf(host, from));
    for (const key of keys) {
      if (key === undefined) {
        unsure.members ||= grouped;
        unsure.covered ||= antivirus;
      } else {
        if (grouped) members.add(key);
        if (antivirus) covered.add(key);
      }
    }
  };
  for (const construct of root.node.findAll()) {
    for (const claim of claimsOf(construct)) {
      if (claim.kind === 'host') addHost(claim, construct);
      if (claim.kind === 'members') addMembers(claim, construct);
      if (claim.kind === 'rule') addRule(claim, construct);
      if (claim.kind === 'unread') {
        unsure.members = true;
        unsure.covered = true;
      }
    }
  }
  const isIn = (set: ReadonlySet<string>, keys: readonly string[], open: boolean) =>
    keys.some((key) => set.has(key)) || (open ? ('later' as const) : false);
  return {
    claimsOn: (host, from) => hosts.get(keyOf(host, from) ?? '') ?? [],
    isMember: (host, from) => all.members || isIn(members, keysOf(host, from), unsure.members),
    isCovered: (host, from) =>
      all.covered ||
      isIn(covered, 'title' in host ? keysOf(host, from) : listed(keyOf(host, from)), unsure.covered),
  };
}

/**
 * Other resources refer to a host's resource by its address. That resource knows an id, or refers to another resource
 * itself.
 */
function keysOf(claim: HostClaim, from: IConstruct): readonly string[] {
  const own = claim.address === undefined ? [] : [addressKey(claim.address, from)];
  return [...own, ...(claim.id === undefined ? [] : listed(keyOf(claim.id, from)))];
}

/** Undefined if only Terraform knows which host it is. */
function keyOf(host: StackText, from: IConstruct): string | undefined {
  if (host.kind === 'known') return `id ${host.text}`;
  const address = /^\$\{(rampart_host\.[\w-]+)\.(?:id|host_id)\}$/.exec(host.expression)?.[1];
  return address === undefined ? undefined : addressKey(address, from);
}

function addressKey(address: string, from: IConstruct): string {
  return `${address} in ${TerraformStack.of(from).node.path}`;
}

function listed(key: string | undefined): readonly string[] {
  return key === undefined ? [] : [key];
}

function addAll(set: Set<string>, keys: readonly string[]): void {
  for (const key of keys) set.add(key);
}
