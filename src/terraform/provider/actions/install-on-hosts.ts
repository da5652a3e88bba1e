import type { HostId } from '../../../core/model/host-id.ts';
import type { ObservedHost } from '../../../core/model/observed.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../../core/problem/result.ts';
import { checkInstall } from '../../fleet/check-install.ts';
import { missingHost } from '../../fleet/find-host.ts';
import type { ActionCall } from '../../protocol/provider/action.ts';
import type { Reply } from '../../protocol/provider/call.ts';
import type { ConfigOf, KnownConfigOf } from '../../protocol/schema/values-of.ts';
import { isPresent, isUnknown } from '../../protocol/value/unknown.ts';
import { isWhollyKnown } from '../../protocol/value/value.ts';
import type { HostMemory } from '../host/host-values.ts';
import { installOn, mayStillInstall } from '../host/install-on-host.ts';
import { hostText } from '../host/planned-deletions.ts';
import { recallInstall } from '../host/recalled-install.ts';
import type { Rampart, Service } from '../service.ts';
import { summarizeProblems } from '../summarize-problems.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { countOfHosts, knownHostIds } from './action-hosts.ts';
import type { antivirusInstallSchema } from './antivirus-install-schema.ts';

interface Install {
  readonly host: ObservedHost;
  readonly memory: HostMemory;
}

/** Checks the hosts and the approval. Nothing is checked while a value is unknown. */
export async function planInstalls(
  service: Service,
  { host_ids, acks }: ConfigOf<typeof antivirusInstallSchema>,
  signal: AbortSignal,
): Promise<Reply> {
  const ids = knownHostIds(host_ids);
  if (ids === null || isUnknown(acks) || (acks !== null && !isWhollyKnown(acks))) return {};
  const needed = await installsFor(service, ids, signal);
  if (!needed.ok) return { diagnostics: toDiagnostics(needed.problems, ['host_ids']) };
  return { diagnostics: toDiagnostics(approvalProblems(needed.value, acks), ['acks']) };
}

/** Requests exactly the installs that were approved. */
export async function installOnHosts(
  service: Service,
  { host_ids, acks }: KnownConfigOf<typeof antivirusInstallSchema>,
  { signal, progress }: ActionCall<Rampart>,
): Promise<Reply> {
  const needed = await installsFor(service, host_ids as readonly HostId[], signal);
  if (!needed.ok) return { diagnostics: toDiagnostics(needed.problems, ['host_ids']) };
  const refusals = approvalProblems(needed.value, acks);
  if (refusals.length > 0) return { diagnostics: toDiagnostics(refusals, ['acks']) };
  const count = needed.value.length;
  progress(`Requesting the anti-virus on ${countOfHosts(count)}`);
  // Together, so that the coordinator can batch them.
  const ends = await Promise.all(
    needed.value.map(({ host, memory }) => installOn(service, host, memory, signal)),
  );
  const accepted = ends.filter(({ result }) => result.ok).length;
  progress(`The service accepted ${accepted} of ${count} requests`);
  return {
    diagnostics: toDiagnostics(
      ends.flatMap(({ result }) => result.problems),
      ['host_ids'],
    ),
  };
}

/** The hosts on which an install would be requested. */
async function installsFor(
  service: Service,
  ids: readonly HostId[],
  signal: AbortSignal,
): Promise<Result<readonly Install[]>> {
  const { session } = service;
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return fleet;
  const list = await session.antivirus({ signal });
  if (!list.ok) return list;
  const problems: Problem[] = [];
  const installs: Install[] = [];
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
    const recalled = await recallInstall(service, id, {});
    if (!recalled.ok) return recalled;
    if (!mayStillInstall(recalled.value, session.clock.now()))
      installs.push({ host, memory: recalled.value });
  }
  return problems.length > 0 ? failed(...summarizeProblems(problems, 'Correct these first.')) : ok(installs);
}

const listed = 20;

/** Even one install needs an approval: no diff shows what the action does. */
function approvalProblems(
  installs: readonly Install[],
  acks: Readonly<Record<string, unknown>> | null,
): readonly Problem[] {
  const count = installs.length;
  const approved = acks?.['antivirus'];
  if (isPresent(approved) ? approved === count : count === 0) return [];
  const texts = installs.slice(0, listed).map(({ host }) => hostText(host));
  const more = count > listed ? ` and ${count - listed} more` : '';
  const hostIds = installs.map(({ host }) => host.id);
  const requests = `the action requests the anti-virus on ${countOfHosts(count)}`;
  const hint =
    count === 0
      ? 'remove antivirus from acks'
      : `review ${texts.join(', ')}${more}, then approve exactly this number with acks = { antivirus = ${count} }`;
  return isPresent(approved)
    ? [problem('ack-mismatch', `${requests}, and acks approves ${String(approved)}`, { hint, hostIds })]
    : [problem('limit-exceeded', `${requests}, which needs an approval`, { hint, hostIds })];
}
