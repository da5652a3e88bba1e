import type { Desired } from '../../model/desired.ts';
import type { HostId } from '../../model/host-id.ts';
import type { ObservedHost } from '../../model/observed.ts';
import { note, type Problem, warning } from '../../problem/problem.ts';
import { hostList } from '../difference/host-list.ts';
import { type Claim, placeOfClaim } from './claim.ts';

type Obstacle = 'unlisted' | 'unsupported' | 'in-progress';

/** Decides who needs an install: a host that has it, can't take it, or was asked lately is never asked again. */
export interface InstallJudge {
  needs(host: ObservedHost, claim: Claim): boolean;
  /** Why hosts that want it are not asked: one for each entry, and one for all hosts of a rule. */
  problems(): readonly Problem[];
}

export function createInstallJudge(desired: Desired, inProgress: ReadonlySet<HostId>): InstallJudge {
  const passed = new Map<
    string,
    { readonly claim: Claim; readonly obstacle: Obstacle; hosts: ObservedHost[] }
  >();

  return {
    needs(host, claim) {
      if (host.antivirus?.installed === true) return false;
      const obstacle = obstacleOf(host, inProgress);
      if (obstacle === undefined) return true;
      const whose = claim.kind === 'rule' ? `rule ${claim.rule.index}` : host.id;
      const key = `${obstacle} ${whose}`;
      const known = passed.get(key);
      if (known === undefined) passed.set(key, { claim, obstacle, hosts: [host] });
      else known.hosts.push(host);
      return false;
    },
    problems: () =>
      [...passed.values()].map(({ claim, obstacle, hosts }) => {
        const details = {
          place: placeOfClaim(desired, claim, 'antivirus'),
          hostIds: hosts.map((host) => host.id),
        };
        return obstacleProblem(obstacle, hosts, details);
      }),
  };
}

function obstacleOf(host: ObservedHost, inProgress: ReadonlySet<HostId>): Obstacle | undefined {
  if (host.antivirus === undefined) return 'unlisted';
  if (!host.antivirus.supported) return 'unsupported';
  return inProgress.has(host.id) ? 'in-progress' : undefined;
}

function obstacleProblem(
  obstacle: Obstacle,
  hosts: readonly ObservedHost[],
  details: Pick<Problem, 'place' | 'hostIds'>,
): Problem {
  const who = hostList(hosts);
  switch (obstacle) {
    case 'unlisted':
      return warning(
        'antivirus-unsupported',
        `${who} ${hosts.length === 1 ? 'is' : 'are'} not in the anti-virus list`,
        details,
      );
    case 'unsupported':
      return warning('antivirus-unsupported', `the anti-virus can't be installed on ${who}`, details);
    case 'in-progress':
      return note(
        'antivirus-in-progress',
        `an install on ${who} was asked for lately, and does not show yet`,
        { ...details, hint: 'it is not asked for twice; to ask again now: --antivirus-window 0s' },
      );
  }
}
