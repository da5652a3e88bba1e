import { type AspectFinding, error, FleetAspect, type ReadClaim, warningFinding } from './fleet-aspect.ts';

/** Nothing in a stack may delete a host, because a deletion can't be undone. Rule `rampart:no-deletions`. */
export class NoDeletions extends FleetAspect {
  readonly ruleId = 'rampart:no-deletions';

  protected check(claim: ReadClaim): readonly AspectFinding[] {
    if (claim.kind === 'members' || claim.deletes === false || claim.deletes === 'never') return [];
    if (claim.deletes === 'later')
      return [warningFinding(`only Terraform knows whether ${claim.title} is deleted with its resource`)];
    return [error(`${claim.title} ${deletionWords(claim)}`)];
  }
}

/** How a claim deletes a host, as the end of a sentence. */
export function deletionWords(claim: Exclude<ReadClaim, { readonly kind: 'members' }>): string {
  if (claim.kind === 'rule') return 'deletes every host that it matches';
  return claim.deletes === 'now'
    ? 'would be deleted: ensure is "absent"'
    : 'would be deleted with its resource: on_destroy is "delete"';
}
