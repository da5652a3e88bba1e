import type { Desired } from '../../model/desired.ts';
import {
  type InstallRecall,
  type InstallRequest,
  type PendingState,
  pendingStateOf,
} from '../../model/install-request.ts';
import { mayBeUnreadable, type Observed, type ObservedHost } from '../../model/observed.ts';
import { note, type Problem, problem, warning } from '../../problem/problem.ts';
import { type Claim, placeOfClaim } from './claim.ts';
import { hostList } from './host-list.ts';

type Obstacle = 'unknown' | 'unlisted' | 'unsupported' | PendingState;
type Remark = Obstacle | 'again';

/** A host whose install was requested, and that the list does not show as installed. */
export interface PendingHost {
  readonly host: ObservedHost;
  readonly claim: Claim;
  readonly state: PendingState;
  readonly request: InstallRequest;
}

/** Decides which hosts need an install. A host that has it, can't have it, or was asked recently is not asked again. */
export interface InstallJudge {
  needs(host: ObservedHost, claim: Claim): boolean;
  pending(): readonly PendingHost[];
  /**
   * Explains why hosts with an install intent are not asked, or are asked again: one problem for each entry, and one
   * for all hosts of a rule.
   */
  problems(): readonly Problem[];
}

export function createInstallJudge(
  desired: Desired,
  recall: InstallRecall,
  observed: Observed,
): InstallJudge {
  const pending: PendingHost[] = [];
  const remarks = new Map<
    string,
    { readonly claim: Claim; readonly remark: Remark; readonly hosts: ObservedHost[] }
  >();
  const report = (remark: Remark, host: ObservedHost, claim: Claim) => {
    const whose = claim.kind === 'rule' ? `rule ${claim.rule.index}` : host.id;
    const key = `${remark} ${whose}`;
    const known = remarks.get(key);
    if (known === undefined) remarks.set(key, { claim, remark, hosts: [host] });
    else known.hosts.push(host);
  };

  return {
    needs(host, claim) {
      if (host.antivirus?.installed === true) return false;
      const request = recall.requests.get(host.id);
      const state = pendingStateOf(host, recall, observed);
      if (state !== undefined && request !== undefined) pending.push({ host, claim, state, request });
      const obstacle = state ?? obstacleOf(host, observed);
      if (obstacle !== undefined) report(obstacle, host, claim);
      else if (request !== undefined) report('again', host, claim);
      return obstacle === undefined;
    },
    pending: () => pending,
    problems: () =>
      [...remarks.values()].map(({ claim, remark, hosts }) => {
        const details = {
          place: placeOfClaim(desired, claim, 'antivirus'),
          hostIds: hosts.map((host) => host.id),
        };
        return remarkProblem(remark, hosts, details);
      }),
  };
}

function obstacleOf(
  { id, antivirus }: ObservedHost,
  { unreadableAntivirus = [] }: Observed,
): Obstacle | undefined {
  if (antivirus === undefined) {
    return mayBeUnreadable({ unreadable: unreadableAntivirus }, id) ? 'unknown' : 'unlisted';
  }
  return antivirus.supported ? undefined : 'unsupported';
}

function remarkProblem(
  remark: Remark,
  hosts: readonly ObservedHost[],
  details: Pick<Problem, 'place' | 'hostIds'>,
): Problem {
  const who = hostList(hosts);
  switch (remark) {
    case 'unknown':
      return problem(
        'unreadable-host',
        `the plan needs to know whether ${who} ${hosts.length === 1 ? 'has' : 'have'} the anti-virus, and the anti-virus list has an entry that can't be read`,
        {
          ...details,
          hint: "try again; if this persists, contact the service's support, or don't install the anti-virus there until then",
        },
      );
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
        `the service recently accepted an install on ${who}, and no read shows it yet`,
        {
          ...details,
          hint: 'the install is not requested again; to request it now, add --antivirus-window 0s',
        },
      );
    case 'in-doubt':
      return warning(
        'antivirus-in-doubt',
        `an install on ${who} may have been requested: the service did not acknowledge it, and no read shows it yet`,
        {
          ...details,
          hint: 'an apply asks online hosts to report; to request the install again now, add --antivirus-window 0s',
        },
      );
    case 'again':
      return note(
        'antivirus-requested-again',
        `an install on ${who} may have been requested, but the host does not report it after a refresh: it is requested again`,
        details,
      );
  }
}
