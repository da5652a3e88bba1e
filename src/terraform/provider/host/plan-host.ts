import type { HostId, ObservedHost } from '../../../core/model/observed.ts';
import type { GroupTarget } from '../../../core/plan/intents/groups.ts';
import type { Problem, Result } from '../../../core/problem/problem.ts';
import { checkInstall } from '../../fleet/check-install.ts';
import { installsOf, joined } from '../../fleet/plan-fleet.ts';
import { ownersOf } from '../../fleet/rename-intent.ts';
import { type Diagnostic, hasErrorDiagnostics, type ProviderCall } from '../../protocol/provider/call.ts';
import type { PlanInput, PlanReply } from '../../protocol/provider/resource.ts';
import { isPresent, isUnknown, unknownValue } from '../../protocol/value/value.ts';
import { groupIntentOf } from '../group-intent.ts';
import { knownInstalls, type ProviderService, type Rampart, toDiagnostics } from '../service.ts';
import { isAbsence, notAdopted, planReplacement } from './delete-host.ts';
import { factsOfHost } from './host-facts.ts';
import { hostSpecOf } from './host-spec.ts';
import {
  type HostConfig,
  type HostMemory,
  type HostProposal,
  type HostProposalInput,
  type HostResourceState,
  type HostValues,
  memoryFrom,
} from './host-values.ts';
import { doubtWarnings } from './install-on-host.ts';
import { mayWrite } from './planned-changes.ts';
import { adoptionChanged, isSameAdoption, type ShownAdoption } from './shown-adoption.ts';

/**
 * The host exists, so a plan shows its current and planned values. The plan does not ask a service that is known only
 * in an apply, nor about a host that may still enroll.
 */
export async function planHost(
  change: PlanInput<HostValues>,
  { client, signal }: ProviderCall<Rampart>,
): Promise<PlanReply<HostValues>> {
  if (!client.service.ok) return {};
  const service = client.service.value;
  const { prior } = change;
  const memory = memoryFrom(change.private);
  const replaces =
    prior === null ? memory.replaces : { hostId: prior.id as HostId, onDestroy: prior.on_destroy };
  const isReplaced = isReplacement(change);
  if (replaces !== undefined && (prior === null || isReplaced)) noteReplaced(service, replaces);
  const { adopted, shown, ...values } = await planValues(service, change, signal);
  const made = isReplaced ? values : await withRename(service, change, { adopted, values }, signal);
  const ofPlan = { plan: service.record.token, ...(shown === undefined ? {} : { shown }) };
  const known = joined(service.remembered, memory);
  const adopts = { ...ofPlan, ...(adopted === undefined ? {} : installsOf(adopted.id, known)) };
  if (replaces === undefined) return { ...made, private: adopts };
  // Terraform plans a replacement twice, and shows only the warnings of the first plan.
  const isDeleted = replaces.onDestroy !== 'forget' && (prior === null || isReplaced);
  const remembered = prior === null ? adopts : { ...memory, ...ofPlan, replaces };
  if (!isDeleted || hasErrorDiagnostics(made.diagnostics ?? [])) return { ...made, private: remembered };
  const deletion = await planReplacement(service, replaces, adopted, signal);
  const diagnostics = [...(made.diagnostics ?? []), ...(deletion.diagnostics ?? [])];
  return {
    ...made,
    private: prior === null ? { ...memoryFrom(deletion.private), ...remembered } : remembered,
    diagnostics,
  };
}

/** The first of the two plans of a replacement: the second is about the other host. */
function isReplacement({ prior, planned }: PlanInput<HostValues>): boolean {
  return prior !== null && planned.host_id !== prior.host_id;
}

function noteReplaced(
  { names }: ProviderService,
  { hostId, onDestroy }: NonNullable<HostMemory['replaces']>,
): void {
  if (onDestroy === 'delete') names.releases(hostId);
  else names.forgets(hostId);
}

interface Valued {
  readonly adopted: ObservedHost | undefined;
  readonly values: PlanReply<HostValues>;
}

/** Records the planned rename for the apply. */
async function withRename(
  { session, record, names }: ProviderService,
  { prior, planned, private: remembered, approved }: PlanInput<HostValues>,
  { adopted, values }: Valued,
  signal: AbortSignal,
): Promise<PlanReply<HostValues>> {
  const { name: to } = values.planned ?? planned;
  const hostId = (prior?.id ?? adopted?.id) as HostId | undefined;
  if (hostId === undefined || !isPresent(to) || hasErrorDiagnostics(values.diagnostics ?? [])) return values;
  const from = prior === null ? (session.observation.atFirst?.byId(hostId)?.name ?? null) : prior.name;
  if (from === to) return values;
  const fleet = await session.observed({ signal });
  if (!fleet.ok) return values;
  const host = fleet.value.byId(hostId);
  const owners = ownersOf(fleet.value, { hostId, to });
  const needsName = owners.length > 0;
  const token = memoryFrom(approved).plan ?? memoryFrom(remembered).plan;
  const circumstances = { token, needsName, fleetSize: fleet.value.count };
  const { isApproved, warning } = record.add({ hostId, from, to }, circumstances);
  names.releases(hostId);
  // In an apply, Terraform plans each resource again just before it changes it, so other renames of the plan come later.
  const isShown = prior !== null || memoryFrom(remembered).replaces === undefined;
  const taken =
    needsName && host !== undefined && !isApproved
      ? await names.needs({ hostId, to, host, owners, isShown }, signal)
      : [];
  const found = warning === undefined ? taken : [warning, ...taken];
  if (found.length === 0) return values;
  return { ...values, diagnostics: [...(values.diagnostics ?? []), ...toDiagnostics(found, ['name'])] };
}

interface PlannedValues extends PlanReply<HostValues> {
  /** The host that is adopted, if it is known. */
  readonly adopted?: ObservedHost;
  readonly shown?: ShownAdoption;
}

async function planValues(
  service: ProviderService,
  change: PlanInput<HostValues>,
  signal: AbortSignal,
): Promise<PlannedValues> {
  const { config, prior, planned } = change;
  const adopted = prior === null ? await hostToAdopt(service, config, signal) : undefined;
  if (adopted === null) return {};
  if (adopted?.ok === false) return { diagnostics: notAdopted(service, change, adopted.problems) };
  const intent = groupIntentOf(config);
  const group = intent === null ? null : await service.session.findGroup(intent, { signal });
  if (group?.ok === false) return { diagnostics: toDiagnostics(group.problems, groupingOf(config)) };
  const hostId = (prior?.id ?? adopted?.value.id) as HostId;
  const diagnostics = [
    ...toDiagnostics(adopted?.problems ?? [], namingOf(config)),
    ...toDiagnostics(group?.problems ?? [], groupingOf(config)),
    ...toDiagnostics(await antivirusProblems(service, hostId, change, signal), ['antivirus']),
    ...(isReplacement(change) ? [] : claimsOf(service, hostId, { change, group: group?.value ?? null })),
  ];
  if ((planned as unknown) === prior) return { diagnostics };
  const shown = adopted === undefined ? undefined : adoptedValues(service, adopted.value);
  const approved = memoryFrom(change.approved).shown;
  if (shown !== undefined && approved !== undefined && !isSameAdoption(approved, shown))
    return { diagnostics: toDiagnostics([adoptionChanged(approved, shown)], namingOf(config)) };
  const current =
    shown === undefined
      ? adoptedBefore(prior as HostResourceState)
      : { ...shown, id: shown.host_id, name: config.name ?? shown.adopted_name };
  const values = { ...planned, ...current, ...plannedGroup(config, group?.value ?? null, prior) };
  return {
    planned: { ...values, ...plannedStatus(values, prior) },
    diagnostics,
    ...(adopted === undefined ? {} : { adopted: adopted.value }),
    ...(shown === undefined ? {} : { shown }),
  };
}

/** Null: the host is still unknown, or has not enrolled yet. */
async function hostToAdopt(
  { session }: ProviderService,
  config: HostConfig,
  signal: AbortSignal,
): Promise<Result<ObservedHost> | null> {
  const spec = hostSpecOf(config);
  if (spec === null) return null;
  const found = await session.findHost(spec, { signal });
  const mayEnroll = config.wait_for_enrollment !== null && !found.ok && found.problems.every(isAbsence);
  return mayEnroll ? null : found;
}

/**
 * The adopted host in the first list: the apply plans again, and our own calls must not change that plan.
 */
function adoptedValues({ session }: ProviderService, adopted: ObservedHost): ShownAdoption {
  const { atFirst, fleet } = session.observation;
  const { id, name, group } = factsOfHost(atFirst?.byId(adopted.id) ?? adopted, fleet);
  return { host_id: id, adopted_name: name, adopted_group: group };
}

function adoptedBefore({ adopted_name, adopted_group }: HostResourceState): Partial<HostProposalInput> {
  return { adopted_name, adopted_group };
}

/** Settled means read: the status of a host is unknown before the apply has read what it wrote. */
function plannedStatus(values: HostProposal, prior: HostResourceState | null): Partial<HostProposalInput> {
  return prior?.status === 'settled' && !mayWrite(values, prior) ? { status: prior.status } : {};
}

function plannedGroup(
  config: HostConfig,
  target: GroupTarget | null,
  prior: HostResourceState | null,
): Pick<HostProposalInput, 'group'> {
  if (config.group !== null) return { group: config.group };
  if (target !== null) return { group: target.name };
  return { group: prior === null || isUnknown(config.group_id) ? unknownValue() : prior.group };
}

async function antivirusProblems(
  service: ProviderService,
  hostId: HostId,
  { config, prior, private: remembered }: PlanInput<HostValues>,
  signal: AbortSignal,
): Promise<readonly Problem[]> {
  if (!isPresent(config.antivirus) || prior?.antivirus === 'installed') return [];
  const { session } = service;
  const list = await session.antivirus({ signal });
  if (!list.ok) return list.problems;
  const checked = checkInstall(hostId, list.value);
  if (checked !== 'needed') return checked.problems;
  const recall = await knownInstalls(service, memoryFrom(remembered));
  if (!recall.ok) return recall.problems;
  const host = await session.findHost({ hostId }, { signal });
  return host.ok ? doubtWarnings(host.value, recall.value, list.value) : host.problems;
}

function claimsOf(
  { claims }: ProviderService,
  hostId: HostId,
  { change, group }: { readonly change: PlanInput<HostValues>; readonly group: GroupTarget | null },
): readonly Diagnostic[] {
  const { config, prior } = change;
  const isAgain = prior === null && memoryFrom(change.private).replaces !== undefined;
  const by = { resource: `rampart_host ${JSON.stringify(config)}`, isStored: prior !== null, isAgain };
  const name = isPresent(config.name)
    ? claims.claim(hostId, 'name', { intended: config.name, by })
    : undefined;
  const unique = isPresent(config.name) ? claims.claimName(hostId, config.name, by) : undefined;
  const inGroup = group === null ? undefined : claims.claim(hostId, 'group', { intended: group.id, by });
  return [
    ...toDiagnostics([...claims.ofOtherBlocks(), ...claims.claimHost(hostId, false)], namingOf(config)),
    ...toDiagnostics(
      [name, unique].filter((each) => each !== undefined),
      ['name'],
    ),
    ...(inGroup === undefined ? [] : toDiagnostics([inGroup], groupingOf(config))),
  ];
}

function namingOf(config: HostConfig): readonly string[] {
  return [config.host_id === null ? 'name' : 'host_id'];
}

function groupingOf(config: HostConfig): readonly string[] {
  return [config.group === null ? 'group_id' : 'group'];
}
