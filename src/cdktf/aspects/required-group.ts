import type { HostClaim, MembersClaim } from './claim.ts';
import {
  type AspectFinding,
  error,
  FleetAspect,
  type Here,
  type ReadClaim,
  warningFinding,
} from './fleet-aspect.ts';
import { faultOfGroups, type GroupRef, isGroup, refWords, stackGroupWords } from './group-ref.ts';

export interface RequiredGroupProps {
  /** The groups that hosts may be in; any when absent. */
  readonly groups?: readonly GroupRef[];
}

/**
 * Every host of a stack must be assigned to a group, or to one of the given groups: by its own resource, or by a list
 * of members anywhere in the app. Rule `rampart:required-group`.
 */
export class RequiredGroup extends FleetAspect {
  readonly ruleId = 'rampart:required-group';
  readonly #groups: readonly GroupRef[] | undefined;

  /** Throws if groups is empty, or if a group has no name. */
  constructor({ groups }: RequiredGroupProps = {}) {
    super();
    const fault = groups?.length === 0 ? 'groups is empty' : faultOfGroups(groups ?? []);
    if (fault !== undefined) throw new Error(`RequiredGroup: ${fault}`);
    this.#groups = groups;
  }

  protected check(claim: ReadClaim, here: Here): readonly AspectFinding[] {
    switch (claim.kind) {
      case 'host':
        if (claim.deletes === 'now') return [];
        return claim.group === undefined ? groupless(claim, here) : this.#judge(claim);
      case 'rule':
        return claim.group === undefined ? [] : this.#judge(claim);
      case 'members':
        return [...this.#judge(claim), ...this.#ofOthers(claim)];
    }
  }

  #ofOthers({ title, group, exclusive, othersTo }: MembersClaim): readonly AspectFinding[] {
    if (exclusive === false) return [];
    if (othersTo.kind !== 'ungrouped') return this.#judge({ title, group: othersTo });
    return [
      warningFinding(`${title}: a host that is removed from ${stackGroupWords(group)} is then in no group`),
    ];
  }

  #judge({ group, title }: Pick<ReadClaim, 'group' | 'title'>): readonly AspectFinding[] {
    switch (group?.kind) {
      case undefined:
        return [];
      case 'later':
        return this.#groups === undefined
          ? []
          : [warningFinding(`the group of ${title} is known only to Terraform, so it is not checked`)];
      case 'ungrouped':
        return [error(`${title} would be in no group`)];
      case 'id':
      case 'named':
        if (this.#groups === undefined || this.#groups.some((each) => isGroup(each, group))) return [];
        return [error(`${title}: ${stackGroupWords(group)} is not ${refWords(this.#groups)}`)];
    }
  }
}

function groupless(claim: HostClaim, { construct, tree }: Here): readonly AspectFinding[] {
  const member = tree().isMember(claim, construct);
  if (member === true) return [];
  if (member === 'later')
    return [
      warningFinding(
        `nothing assigns ${claim.title} to a group, except perhaps a list that only Terraform knows`,
      ),
    ];
  return [error(`nothing assigns ${claim.title} to a group`)];
}
