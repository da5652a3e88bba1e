import { quoted } from '../../core/lib/words.ts';
import { foldName } from '../../core/model/host-name.ts';
import type { HostId } from '../../core/model/observed.ts';
import { type Problem, problem } from '../../core/problem/problem.ts';
import type { ClaimBoard } from '../fleet/claim-board.ts';
import { sameNameTwice } from '../fleet/rename-problems.ts';

/** The claims of one configuration's resources on hosts, to detect resources that manage the same host. */
export interface Claims {
  /** A problem if another host gets the same name. */
  claimName(host: HostId, name: string, by: Claimant): Problem | undefined;
  /** A problem if another resource manages it too. */
  claim(host: HostId, what: Claimed, claim: ResourceClaim): Problem | undefined;
  /** A problem if one resource deletes the host, and another one manages it. */
  claimHost(host: HostId, isDeleted: boolean): readonly Problem[];
  /** The claims since the last call that another provider block of the same account has too. */
  ofOtherBlocks(): readonly Problem[];
  /** Resources are being applied, and Terraform plans each of them again. */
  applying(): void;
}

export interface ResourceClaim {
  /** For messages: the name, or the id of the group. */
  readonly intended: string;
  readonly by: Claimant;
}

export interface Claimant {
  /** Terraform does not pass the name of a resource, so it is identified by its type, a space and its configuration. */
  readonly resource: string;
  /** The resource has a prior state. */
  readonly isStored: boolean;
  /** This is the second plan of a replacement. Absent if that is not known. */
  readonly isAgain?: boolean;
}

type Claimed = 'name' | 'group';

export function createClaims(board: Pick<ClaimBoard, 'publish'> = { publish: () => [] }): Claims {
  const unpublished: string[] = [];
  const claims: Readonly<Record<Claimed, Map<HostId, ResourceClaim>>> = { name: new Map(), group: new Map() };
  let isApplying = false;
  const names = new Map<string, { readonly host: HostId; readonly by: Claimant }>();
  const deleted = new Map<HostId, boolean>();
  return {
    claimHost(host, isDeleted) {
      const other = deleted.get(host) ?? isDeleted;
      deleted.set(host, other);
      return other === isDeleted ? [] : [deletedAndManaged(host)];
    },
    claimName(host, name, by) {
      const folded = foldName(name);
      const other = names.get(folded);
      if (other === undefined || other.by.resource === by.resource) names.set(folded, { host, by });
      else if (other.host !== host) return sameNameTwice({ hostId: host, to: name }, other.host);
      return undefined;
    },
    claim(host, what, claim) {
      const other = claims[what].get(host);
      if (other === undefined) {
        claims[what].set(host, claim);
        unpublished.push(`${what} ${host}`);
      }
      if (other === undefined || agree(what, other, claim)) return undefined;
      const isSame = isApplying
        ? other.by.resource === claim.by.resource
        : isSameResource(other.by, claim.by);
      return isSame ? undefined : rivalry(host, what, [other, claim]);
    },
    ofOtherBlocks: () => board.publish(unpublished.splice(0)).map(claimedByBlocks),
    applying() {
      isApplying = true;
    },
  };
}

/** Terraform plans a resource twice if it is replaced, and once otherwise. */
function isSameResource(one: Claimant, other: Claimant): boolean {
  if (one.resource !== other.resource) return false;
  return other.isAgain ?? (one.isStored && !other.isStored);
}

/** A `rampart_host` and a `rampart_group_members` may both set the group of a host, if it is the same. */
function agree(what: Claimed, one: ResourceClaim, other: ResourceClaim): boolean {
  const types = [one, other].map(({ by: { resource } }) => resource.slice(0, resource.indexOf(' '))).sort();
  return (
    what === 'group' &&
    one.intended === other.intended &&
    types.join() === 'rampart_group_members,rampart_host'
  );
}

function claimedByBlocks(claim: string): Problem {
  const [what, host] = claim.split(' ') as [Claimed, HostId];
  return problem(
    'host-claimed-twice',
    `two provider blocks of this configuration manage the ${what} of host ${host}, which are blocks of the same account`,
    {
      hint: `let only one resource of one provider block manage the ${what} of the host`,
      hostIds: [host],
    },
  );
}

function deletedAndManaged(host: HostId): Problem {
  return problem('host-claimed-twice', `one resource deletes host ${host}, and another one manages it`, {
    hint: 'to keep the host, write a moved block from the first resource to the second one, or set on_destroy of the first one to "forget" and apply that first',
    hostIds: [host],
  });
}

function rivalry(
  host: HostId,
  what: Claimed,
  [one, other]: readonly [ResourceClaim, ResourceClaim],
): Problem {
  const intents =
    one.intended === other.intended
      ? `both set it to ${quoted(one.intended)}`
      : `one sets it to ${quoted(one.intended)}, the other to ${quoted(other.intended)}`;
  return problem('host-claimed-twice', `two resources manage the ${what} of host ${host}: ${intents}`, {
    hint: `let only one resource manage the ${what} of the host`,
    hostIds: [host],
  });
}
