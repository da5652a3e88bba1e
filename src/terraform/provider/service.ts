import { printable } from '../../core/lib/printable.ts';
import type { InstallRecall } from '../../core/model/install-request.ts';
import type { HostId } from '../../core/model/observed.ts';
import { formatPlace, ok, type Problem, type Result } from '../../core/problem/problem.ts';
import type { FetchRegister } from '../../input/tables/register-table.ts';
import type { Coordinator } from '../fleet/coordinator.ts';
import type { FleetInventoryPlace } from '../fleet/fleet-inputs.ts';
import type { FleetSession } from '../fleet/fleet-session.ts';
import type { InventoryCollector } from '../fleet/inventory-collector.ts';
import type { KeyedMutex } from '../fleet/keyed-mutex.ts';
import type { LiveFleet } from '../fleet/live-fleet.ts';
import { type InstallMemory, joined, withRemembered } from '../fleet/plan-fleet.ts';
import type { PlanPhase } from '../fleet/plan-phase.ts';
import type { RecordedNames } from '../fleet/plan-record.ts';
import type { PlannedNames } from '../fleet/planned-names.ts';
import type { OpenState } from '../fleet/run-record.ts';
import { type Diagnostic, errorDiagnostic, type ProviderCall } from '../protocol/provider/call.ts';
import { providerKit } from '../protocol/provider/provider.ts';
import type { Path } from '../protocol/value/path.ts';
import { isPresent, type Unknown } from '../protocol/value/value.ts';
import { asArguments, withArguments } from './as-arguments.ts';
import type { Claims } from './claims.ts';
import type { BlockProblem } from './connection/block-problem.ts';
import type { RunLimits } from './connection/limits.ts';
import type { PlannedDeletions } from './host/planned-deletions.ts';
import { isHostId } from './host/schema.ts';

/** Faults in a list or set of host ids, as far as they are known. */
export function hostIdFaults(ids: unknown, attribute = 'host_ids'): readonly Diagnostic[] {
  if (!Array.isArray(ids)) return [];
  const faulty = ids.filter((id) => isPresent(id) && isHostId.check(id) !== null);
  return faulty.length === 0
    ? []
    : [
        errorDiagnostic(
          `${faulty.length} of ${attribute} are not host ids, such as ${JSON.stringify(faulty[0])}`,
          {
            detail: `Each must be ${isHostId.description}.`,
            path: [attribute],
          },
        ),
      ];
}

/** Problems in Terraform's form; the path is the argument that they concern. Notes are left out. */
export function toDiagnostics(
  problems: readonly (Problem | BlockProblem)[],
  path?: Path,
): readonly Diagnostic[] {
  return problems.flatMap((each) =>
    each.severity === 'note' ? [] : [toDiagnostic(each, each.severity, 'path' in each ? each.path : path)],
  );
}

function toDiagnostic(
  { place, ...words }: Problem,
  severity: Diagnostic['severity'],
  path: Path | undefined,
): Diagnostic {
  const message = asArguments(words.message);
  const hint = words.hint === undefined ? undefined : withArguments(asArguments(words.hint));
  const detail = [
    place === undefined ? '' : `At ${formatPlace(place)}.`,
    hint === undefined ? '' : sentence(hint),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
  return {
    severity,
    summary: capitalized(printable(message)),
    ...(detail === '' ? {} : { detail: printable(detail).replaceAll('␊', '\n') }),
    ...(path === undefined ? {} : { path }),
  };
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? capitalized(text) : `${capitalized(text)}.`;
}

/** A word that is not followed by `=`: addresses, file names and identifiers keep their case. */
const plainWord = /^[a-z]+(?:['-][a-z]+)*(?=[,.:;?!]?(?:$|\s(?!=)))/;

function capitalized(text: string): string {
  return text.replace(plainWord, (word) => word.charAt(0).toUpperCase() + word.slice(1));
}

/** The services for the resources, data sources and ephemeral resources of one configured provider. */
export interface ProviderService {
  readonly session: FleetSession;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  readonly limits: RunLimits;
  readonly deletions: PlannedDeletions;
  readonly moves: KeyedMutex<HostId>;
  /** Ids and names of hosts in the state that a refresh no longer found. */
  readonly vanished: Set<string>;
  /**
   * The installs of resources that were read or destroyed. Terraform does not pass the private state of a tainted or
   * replaced resource to the plan of its successor, which would request an install again.
   */
  remembered: InstallMemory;
  /** The renames of `rampart_host`, recorded from the plan to its apply. */
  readonly record: RecordedNames;
  readonly phase: PlanPhase;
  /** The names that hosts give up and need in one plan. */
  readonly names: PlannedNames;
  /** Made on first use, because most commands read no inventory. */
  readonly inventory: () => InventoryCollector;
  /** The state that records runs; null: none. */
  readonly openState: OpenState | null;
  /** The recorded requests of earlier processes, read once. */
  readonly recallInstalls: () => Promise<Result<InstallRecall>>;
  /** Removes secrets from a text before it is recorded. */
  readonly redact: (text: string) => string;
  readonly inventoryPlace: FleetInventoryPlace;
  /** Reads each register once in this process. */
  readonly fetchRegister: FetchRegister;
  /** Resources are being applied. Terraform plans each of them again. */
  applying(): void;
  /** Ends all requests within seconds. */
  interrupt(): void;
  close(): Promise<void>;
}

/** A configured provider: its service, or the reason why there is none yet, which may differ in an apply. */
export interface Rampart {
  readonly service: Result<ProviderService>;
}

export const kit = providerKit<Rampart>();

/** All known requests for installs: the recorded ones, and those that resources remember. */
export async function knownInstalls(
  { recallInstalls, remembered, session }: Pick<ProviderService, 'recallInstalls' | 'remembered' | 'session'>,
  ofResource: InstallMemory,
): Promise<Result<InstallRecall>> {
  const recalled = await recallInstalls();
  if (!recalled.ok) return recalled;
  return ok(withRemembered(recalled.value, joined(remembered, ofResource), session.clock.now()));
}

/** Plans a resource. */
export function planning<R>(call: ProviderCall<Rampart>, work: () => Promise<R>): Promise<R> {
  if (call.client.service.ok) call.client.service.value.phase.planning();
  return duringPlan(call, work);
}

/** Runs a call of a plan, so that a wait for the end of the plan knows of it. */
export async function duringPlan<R>({ client }: ProviderCall<Rampart>, work: () => Promise<R>): Promise<R> {
  const leave = client.service.ok ? client.service.value.names.enter() : undefined;
  return work().finally(leave);
}

/** Works with the service. Without one, it returns the missing argument. */
export async function withService<R>(
  { client }: ProviderCall<Rampart>,
  work: (service: ProviderService) => Promise<R>,
): Promise<R | { readonly diagnostics: readonly Diagnostic[] }> {
  const { service } = client;
  return service.ok ? work(service.value) : { diagnostics: toDiagnostics(service.problems) };
}

/** Works with the fleet from the shared list too. Without one, it returns why. */
export function withFleet<R>(
  call: ProviderCall<Rampart>,
  work: (fleet: LiveFleet, service: ProviderService) => Promise<R>,
): Promise<R | { readonly diagnostics: readonly Diagnostic[] }> {
  return withService(call, async (service) => {
    const fleet = await service.session.observed({ signal: call.signal });
    return fleet.ok ? work(fleet.value, service) : { diagnostics: toDiagnostics(fleet.problems) };
  });
}

/** Runs a call of an apply, so that a wait for other operations knows of it. */
export function duringApply<R>(
  call: ProviderCall<Rampart>,
  work: (service: ProviderService) => Promise<R>,
): Promise<R | { readonly diagnostics: readonly Diagnostic[] }> {
  return withService(call, async (service) => {
    service.applying();
    const leave = service.coordinator.enter(call.signal);
    return work(service).finally(leave);
  });
}

/** What is wrong with the expression of `where`. Its checker loads only if there is one. */
export async function whereFaults(where: string | null | Unknown): Promise<readonly Diagnostic[]> {
  if (!isPresent(where)) return [];
  const { conditionArgument } = await import('./data/condition.ts');
  const condition = conditionArgument(where);
  return condition.ok ? [] : toDiagnostics(condition.problems, ['where']);
}
