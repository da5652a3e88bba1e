import type { HostClaim, MembersClaim } from './claim.ts';
import { error, type Finding, FleetAspect, type Here, type ReadClaim, warning } from './fleet-aspect.ts';

/**
 * Every host of a stack is to have the vendor's anti-virus: by its own resource, or by another one anywhere in the app.
 * Rule `rampart:antivirus-everywhere`.
 */
export class AntivirusEverywhere extends FleetAspect {
  readonly ruleId = 'rampart:antivirus-everywhere';

  protected check(claim: ReadClaim, here: Here): readonly Finding[] {
    switch (claim.kind) {
      case 'host':
        return ofHost(claim, here);
      case 'members':
        return ofMembers(claim, here);
      case 'rule':
        return [];
    }
  }
}

function ofHost(claim: HostClaim, { construct, tree }: Here): readonly Finding[] {
  if (claim.antivirus === true || claim.deletes === 'now') return [];
  const covered = tree().isCovered(claim, construct);
  if (covered === true) return [];
  return covered === 'later' || claim.antivirus === 'later'
    ? [warning(`only a plan knows whether ${claim.title} is to have the anti-virus`)]
    : [error(`nothing has the anti-virus installed on ${claim.title}`)];
}

/** Hosts that nothing but a list of members names; what is said of the others is checked where it is said. */
function ofMembers({ hosts }: MembersClaim, { construct, tree }: Here): readonly Finding[] {
  return hosts.flatMap((host) => {
    if (host.kind === 'later' || tree().claimsOn(host, construct).length > 0) return [];
    const covered = tree().isCovered(host, construct);
    if (covered === true) return [];
    return covered === 'later'
      ? [warning(`only a plan knows whether host ${host.text} is to have the anti-virus`)]
      : [error(`nothing has the anti-virus installed on host ${host.text}`)];
  });
}
