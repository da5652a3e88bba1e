import type { HostClaim, MembersClaim } from './claim.ts';
import {
  type AspectFinding,
  error,
  FleetAspect,
  type Here,
  type ReadClaim,
  warningFinding,
} from './fleet-aspect.ts';

/**
 * Every host of a stack must get the vendor's anti-virus: from its own resource, or from another one anywhere in the
 * app. Rule `rampart:antivirus-everywhere`.
 */
export class AntivirusEverywhere extends FleetAspect {
  readonly ruleId = 'rampart:antivirus-everywhere';

  protected check(claim: ReadClaim, here: Here): readonly AspectFinding[] {
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

function ofHost(claim: HostClaim, { construct, tree }: Here): readonly AspectFinding[] {
  if (claim.antivirus === true || claim.deletes === 'now') return [];
  const covered = tree().isCovered(claim, construct);
  if (covered === true) return [];
  return covered === 'later' || claim.antivirus === 'later'
    ? [warningFinding(`only a plan knows whether ${claim.title} gets the anti-virus`)]
    : [error(`nothing installs the anti-virus on ${claim.title}`)];
}

/** Hosts that only a list of members names. The claims on other hosts are checked at their own constructs. */
function ofMembers({ hosts }: MembersClaim, { construct, tree }: Here): readonly AspectFinding[] {
  return hosts.flatMap((host) => {
    if (host.kind === 'later' || tree().claimsOn(host, construct).length > 0) return [];
    const covered = tree().isCovered(host, construct);
    if (covered === true) return [];
    return covered === 'later'
      ? [warningFinding(`only a plan knows whether host ${host.text} gets the anti-virus`)]
      : [error(`nothing installs the anti-virus on host ${host.text}`)];
  });
}
