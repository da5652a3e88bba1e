import { count, firstFew } from '../../../core/lib/words.ts';
import type { InstallRecall } from '../../../core/model/install-request.ts';
import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import { failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import { checkInstall } from '../../fleet/check-install.ts';
import { missingHost } from '../../fleet/find-host.ts';
import type { ActionCall, Reply } from '../../protocol/provider/call.ts';
import type { ConfigOf, KnownConfigOf } from '../../protocol/schema/values-of.ts';
import { isPresent, isUnknown, isWhollyKnown } from '../../protocol/value/value.ts';
import { installOn } from '../host/install-on-host.ts';
import { hostText } from '../host/planned-deletions.ts';
import { knownInstalls, type ProviderService, type Rampart, toDiagnostics } from '../service.ts';
import { summarizeProblems } from '../summarize-problems.ts';
import { knownHostIds } from './action-hosts.ts';
import type { antivirusInstallSchema } from './antivirus-install-schema.ts';

interface Installs {
  readonly hosts: readonly ObservedHost[];
  readonly recall: InstallRecall;
}

/** Checks the hosts and the approval. Nothing is checked while a value is unknown. */
export async function planInstalls(
  service: ProviderService,
  { host_ids, acks }: ConfigOf<typeof antivirusInstallSchema>,
  signal: AbortSignal,
): Promise<Reply> {
  const ids = knownHostIds(host_ids);
  if (ids === null || isUnknown(acks) || (acks !== null && !isWhollyKnown(acks))) return {};
  const needed = await installsFor(service, ids, signal);
  if (!needed.ok) return { diagnostics: toDiagnostics(needed.problems, ['host_ids']) };
  return { diagnostics: toDiagnostics(approvalProblems(needed.value.hosts, acks), ['acks']) };
}

/** Requests exactly the installs that were approved. */
export async function installOnHosts(
  service: ProviderService,
  { host_ids, acks }: KnownConfigOf<typeof antivirusInstallSchema>,
  { signal, progress }: ActionCall<Rampart>,
): Promise<Reply> {
  const needed = await installsFor(service, host_ids as readonly HostId[], signal);
  if (!needed.ok) return { diagnostics: toDiagnostics(needed.problems, ['host_ids']) };
  const refusals = approvalProblems(needed.value.hosts, acks);
  if (refusals.length > 0) return { diagnostics: toDiagnostics(refusals, ['acks']) };
  const { hosts, recall } = needed.value;
  progress(`Requesting the anti-virus on ${count(hosts.length, 'host')}`);
  // Together, so that the coordinator can batch them.
  const ends = await Promise.all(hosts.map((host) => installOn(service, host, recall, signal)));
  const accepted = ends.filter(({ result }) => result.ok).length;
  progress(`The service accepted ${accepted} of ${hosts.length} requests`);
  return {
    diagnostics: toDiagnostics(
      ends.flatMap(({ result }) => result.problems),
      ['host_ids'],
    ),
  };
}

/** The hosts on which an install would be requested. */
async function installsFor(
  service: ProviderService,
  ids: readonly HostId[],
  signal: AbortSignal,
): Promise<Result<Installs>> {
  const { session } = service;
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return fleet;
  const list = await session.antivirus({ signal });
  if (!list.ok) return list;
  const recall = await knownInstalls(service, {});
  if (!recall.ok) return recall;
  const problems: Problem[] = [];
  const hosts: ObservedHost[] = [];
  for (const id of new Set(ids)) {
    const host = fleet.value.byId(id);
    if (host === undefined) {
      problems.push(missingHost(id));
      continue;
    }
    const checked = checkInstall(id, list.value);
    if (checked !== 'needed') {
      problems.push(...checked.problems);
      continue;
    }
    if (recall.value.requests.get(id)?.state !== 'accepted') hosts.push(host);
  }
  return problems.length > 0
    ? failed(...summarizeProblems(problems, 'Correct these first.'))
    : ok({ hosts, recall: recall.value });
}

const listed = 20;

/** Even one install needs an approval: no diff shows what the action does. */
function approvalProblems(
  hosts: readonly ObservedHost[],
  acks: Readonly<Record<string, unknown>> | null,
): readonly Problem[] {
  const needed = hosts.length;
  const approved = acks?.['antivirus'];
  if (isPresent(approved) ? approved === needed : needed === 0) return [];
  const hostIds = hosts.map(({ id }) => id);
  const requests = `the action requests the anti-virus on ${count(needed, 'host')}`;
  const hint =
    needed === 0
      ? 'remove antivirus from acks'
      : `review ${firstFew(hosts, listed, hostText)}, then approve exactly this number with acks = { antivirus = ${needed} }`;
  return isPresent(approved)
    ? [problem('ack-mismatch', `${requests}, and acks approves ${String(approved)}`, { hint, hostIds })]
    : [problem('limit-exceeded', `${requests}, which needs an approval`, { hint, hostIds })];
}
