import { quoted } from '../../../core/lib/words.ts';
import type { HostId } from '../../../core/model/observed.ts';
import { type Problem, warning } from '../../../core/problem/problem.ts';
import type { LiveFleet } from '../../fleet/live-fleet.ts';
import { whyNotDeleted } from '../../fleet/why-not-deleted.ts';
import type { Diagnostic } from '../../protocol/provider/call.ts';
import { isPresent } from '../../protocol/value/value.ts';
import { type ProviderService, toDiagnostics } from '../service.ts';
import { type HostConfig, memoryFrom } from './host-values.ts';

interface Adoption {
  readonly config: HostConfig;
  readonly private: unknown;
}

/**
 * A host that someone deleted fails only its own resource, in the apply, and not the whole plan. After an apply, the state
 * does not have the host, so any id without a host may be one that was deleted. A replacement is refused, because it could
 * delete its earlier host and adopt none.
 */
export function notAdopted(
  { session, vanished }: ProviderService,
  { config: { host_id, name }, private: remembered }: Adoption,
  problems: readonly Problem[],
): readonly Diagnostic[] {
  const path = [host_id === null ? 'name' : 'host_id'];
  const identified = host_id ?? name;
  const mayBeGone = isPresent(identified) && (host_id !== null || vanished.has(identified));
  if (!mayBeGone || memoryFrom(remembered).replaces !== undefined || !problems.every(isAbsence))
    return toDiagnostics(problems.map(withWayOut), path);
  const hidden =
    host_id === null
      ? undefined
      : whyNotDeleted(session.observation.fleet as LiveFleet, identified as HostId);
  if (hidden !== undefined) return toDiagnostics([hidden], path);
  const called = host_id === null ? `the host ${quoted(identified)}` : `host ${identified}`;
  const isKnown = vanished.has(identified);
  const gone = warning('missing-host', `${called} is not in the account${isKnown ? ' anymore' : ''}`, {
    hint: `the apply fails for this resource only. ${isKnown ? 'Remove' : 'Check the id, remove'} the resource, or set wait_for_enrollment to wait for the host`,
  });
  return toDiagnostics([gone], path);
}

function withWayOut(each: Problem): Problem {
  if (each.code !== 'awaiting-enrollment') return each;
  const hint = `${each.hint}${each.hint?.endsWith('?') === true ? '' : '.'} Correct the name, or set host_id to adopt the host and give it this name. If the host enrolls later, set wait_for_enrollment`;
  return { ...each, hint };
}

/** The host does not exist, or has not enrolled yet. */
export function isAbsence({ code }: Problem): boolean {
  return code === 'awaiting-enrollment' || code === 'missing-host';
}
