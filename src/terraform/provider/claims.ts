import { quoted } from '../../lib/quoted.ts';
import type { HostId } from '../../model/host-id.ts';
import { type Problem, problem } from '../../problem/problem.ts';

/** What resources of one configuration want of hosts, to find those that contradict one another. */
export interface Claims {
  /** A problem where another resource wants something else. */
  claim(host: HostId, what: Claimed, wanted: string): Problem | undefined;
}

type Claimed = 'name' | 'group';

export function createClaims(): Claims {
  const wishes: Readonly<Record<Claimed, Map<HostId, string>>> = { name: new Map(), group: new Map() };
  return {
    claim(host, what, wanted) {
      const other = wishes[what].get(host);
      if (other === undefined) wishes[what].set(host, wanted);
      return other === undefined || other === wanted ? undefined : contradiction(host, what, [other, wanted]);
    },
  };
}

function contradiction(host: HostId, what: Claimed, wanted: readonly string[]): Problem {
  return problem(
    'host-claimed-twice',
    `two resources manage the ${what} of host ${host}: one wants ${wanted.map(quoted).join(', the other ')}`,
    { hint: `let one resource alone manage the ${what} of the host`, hostIds: [host] },
  );
}
