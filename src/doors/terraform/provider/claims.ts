import { quoted } from '../../../core/lib/quoted.ts';
import type { HostId } from '../../../core/model/host-id.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';

/** The claims of one configuration's resources on hosts, to detect resources that manage the same host. */
export interface Claims {
  /** A problem if another resource manages it too. */
  claim(host: HostId, what: Claimed, claim: Claim): Problem | undefined;
}

export interface Claim {
  /** For messages: the name, or the id of the group. */
  readonly intended: string;
  /**
   * Identifies the resource. Terraform does not name it and may plan it twice, so it is identified by its type and its
   * configuration.
   */
  readonly by: string;
}

type Claimed = 'name' | 'group';

export function createClaims(): Claims {
  const claims: Readonly<Record<Claimed, Map<HostId, Claim>>> = { name: new Map(), group: new Map() };
  return {
    claim(host, what, claim) {
      const other = claims[what].get(host);
      if (other === undefined) claims[what].set(host, claim);
      return other === undefined || other.by === claim.by ? undefined : rivalry(host, what, [other, claim]);
    },
  };
}

function rivalry(host: HostId, what: Claimed, [one, other]: readonly [Claim, Claim]): Problem {
  const intents =
    one.intended === other.intended
      ? `both set it to ${quoted(one.intended)}`
      : `one sets it to ${quoted(one.intended)}, the other to ${quoted(other.intended)}`;
  return problem('host-claimed-twice', `two resources manage the ${what} of host ${host}: ${intents}`, {
    hint: `let only one resource manage the ${what} of the host`,
    hostIds: [host],
  });
}
