import type { HostId } from '../../../model/host-id.ts';
import type { ObservedHost } from '../../../model/observed.ts';
import { ok, type Result } from '../../../problem/result.ts';
import type { Call } from '../../protocol/provider/call.ts';
import { type Diagnostic, hasErrors } from '../../protocol/provider/diagnostic.ts';
import type { KnownConfigOf } from '../../protocol/schema/values-of.ts';
import { isUnknown, knownOrNull } from '../../protocol/value/unknown.ts';
import { durationMs } from '../connection/duration.ts';
import { groupWishOf } from '../group-wish.ts';
import { type Rampart, type Service, withService } from '../service.ts';
import { toDiagnostics } from '../to-diagnostics.ts';
import { factsOf, isParked } from './host-facts.ts';
import { hostSpecOf } from './host-spec.ts';
import { type HostMemory, type HostState, memoryFrom, type PlannedHost } from './host-values.ts';
import type { hostSchema } from './schema.ts';

interface HostApply {
  readonly planned: PlannedHost;
  readonly config: KnownConfigOf<typeof hostSchema>;
  readonly private: unknown;
}

interface HostApplied {
  readonly state?: HostState;
  readonly private?: HostMemory;
  readonly diagnostics?: readonly Diagnostic[];
}

/**
 * Takes the host over and makes it what is wanted. Where that fails nothing is stored, so that the next apply takes it
 * over again: a stored half would count as broken, and be destroyed.
 */
export function adoptHost(change: HostApply, call: Call<Rampart>): Promise<HostApplied> {
  return withService(call, async (service) => {
    const host = await hostOf(service, change, call.signal);
    if (!host.ok) return { diagnostics: toDiagnostics(host.problems) };
    const done = await reach(service, host.value, change, call.signal);
    if (hasErrors(done.diagnostics)) return { diagnostics: done.diagnostics };
    return { ...done, state: asPlanned(change.planned, await stateNow(service, host.value.id, change)) };
  });
}

/** With errors the state tells how far it came. */
export function updateHost(
  change: HostApply & { readonly prior: HostState },
  call: Call<Rampart>,
): Promise<HostApplied> {
  return withService(call, async (service) => {
    const { session } = service;
    const host = await session.findHost({ hostId: change.prior.id as HostId }, { signal: call.signal });
    if (!host.ok) return { diagnostics: toDiagnostics(host.problems) };
    const done = await reach(service, host.value, change, call.signal);
    const state = await stateNow(service, host.value.id, change);
    if (!hasErrors(done.diagnostics)) return { ...done, state: asPlanned(change.planned, state) };
    const antivirus = done.isAntivirusAsked ? state.antivirus : change.prior.antivirus;
    return { ...done, state: { ...state, antivirus } };
  });
}

/** The host of the plan, or the one that it could not know yet. */
function hostOf(
  { session }: Service,
  { planned, config }: HostApply,
  signal: AbortSignal,
): Promise<Result<ObservedHost>> {
  const spec =
    isUnknown(planned.id) || planned.id === null ? hostSpecOf(config) : { hostId: planned.id as HostId };
  if (spec === null) throw new Error('an applied configuration has no unknown values');
  const timeoutMs = config.wait_for_enrolment === null ? undefined : durationMs(config.wait_for_enrolment);
  return timeoutMs === undefined
    ? session.findHost(spec, { signal })
    : session.waitForHost(spec, { timeoutMs, signal });
}

interface Reached {
  readonly diagnostics: readonly Diagnostic[];
  readonly private: HostMemory;
  readonly isAntivirusAsked: boolean;
}

/** All of it at once, so that the broker sees what belongs together. */
async function reach(
  service: Service,
  host: ObservedHost,
  { config, private: remembered }: HostApply,
  signal: AbortSignal,
): Promise<Reached> {
  const [renamed, moved, installed] = await Promise.all([
    rename(service, host, config.name, signal),
    move(service, host, config, signal),
    config.antivirus === null ? ok(null) : service.broker.installAntivirus(host.id, { signal }),
  ]);
  const memory = memoryFrom(remembered);
  const isAsked = installed.ok && installed.value === 'asked';
  return {
    diagnostics: [
      ...toDiagnostics(renamed.problems, ['name']),
      ...toDiagnostics(moved.problems, [config.group === null ? 'group_id' : 'group']),
      ...toDiagnostics(installed.problems, ['antivirus']),
    ],
    private: isAsked ? { ...memory, antivirusAskedAt: service.session.clock.now() } : memory,
    isAntivirusAsked: installed.ok && installed.value !== null,
  };
}

async function rename(
  { broker }: Service,
  host: ObservedHost,
  name: string | null,
  signal: AbortSignal,
): Promise<Result<unknown>> {
  return name === null || name === host.name ? ok(null) : broker.rename(host.id, name, { signal });
}

async function move(
  { session, broker, moves }: Service,
  { id }: ObservedHost,
  config: HostApply['config'],
  signal: AbortSignal,
): Promise<Result<unknown>> {
  const wish = groupWishOf(config);
  if (wish === null) return ok(null);
  const group = await session.findGroup(wish, { signal });
  return group.ok ? moves.after(id, () => broker.move(id, group.value.id, { signal })) : group;
}

/** The host as the picture has it after the calls. */
async function stateNow(
  { session }: Service,
  id: HostId,
  { planned, config }: HostApply,
): Promise<HostState> {
  const host = session.hostNow(id);
  if (host === undefined) throw new Error('the host was there a moment ago');
  const fleet = session.picture.fleet ?? null;
  const facts = factsOf(host, fleet);
  const wanted = config.antivirus;
  const list = wanted === null ? undefined : await session.antivirus();
  const isInstalled = list?.ok !== true || list.value.facts.get(id)?.installed === true;
  return {
    ...facts,
    host_id: id,
    previously: planned.previously,
    group_id: planned.group_id === null ? null : facts.group_id,
    antivirus: wanted,
    on_destroy: knownOrNull(planned.on_destroy),
    wait_for_enrolment: planned.wait_for_enrolment,
    status: isParked(host) ? 'parked' : isInstalled ? 'settled' : 'installing',
  };
}

/** What the plan knew is what is stored; the next read tells what has changed meanwhile. */
function asPlanned(planned: PlannedHost, state: HostState): HostState {
  const known = Object.entries(planned).filter(([, value]) => !isUnknown(value));
  return { ...state, ...(Object.fromEntries(known) as Partial<HostState>) };
}
