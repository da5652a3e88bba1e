import type { HostId } from '../../../core/model/host-id.ts';
import type { InstallRecall } from '../../../core/model/install-request.ts';
import type { Result } from '../../../core/problem/result.ts';
import type { Coordinator } from '../fleet/coordinator.ts';
import type { FleetSession } from '../fleet/fleet-session.ts';
import type { InventoryCollector } from '../fleet/inventory-collector.ts';
import type { KeyedMutex } from '../fleet/keyed-mutex.ts';
import type { OpenState } from '../fleet/run-record.ts';
import type { Call } from '../protocol/provider/call.ts';
import type { Diagnostic } from '../protocol/provider/diagnostic.ts';
import { providerKit } from '../protocol/provider/provider.ts';
import type { Claims } from './claims.ts';
import type { RunLimits } from './connection/limits.ts';
import type { PlannedDeletions } from './host/planned-deletions.ts';
import { toDiagnostics } from './to-diagnostics.ts';

/** What resources, data sources and ephemeral resources of one configured provider work with. */
export interface Service {
  readonly session: FleetSession;
  readonly coordinator: Coordinator;
  readonly claims: Claims;
  readonly limits: RunLimits;
  readonly deletions: PlannedDeletions;
  readonly moves: KeyedMutex<HostId>;
  /** Made when it is first asked for: most commands read no inventory. */
  readonly inventory: () => InventoryCollector;
  /** Where runs are recorded; null: nowhere. */
  readonly openState: OpenState | null;
  /** What earlier processes requested, as far as they recorded it: read once. */
  readonly recallInstalls: () => Promise<Result<InstallRecall>>;
  /** Takes secrets out of a text that is recorded. */
  readonly redact: (text: string) => string;
  /** Where inventory is kept; null: nowhere. */
  readonly stateDir: string | null;
  /** Ends all requests within seconds. */
  interrupt(): void;
  close(): Promise<void>;
}

/** A configured provider: its service, or why there is none yet, which an apply may know to be otherwise. */
export interface Rampart {
  readonly service: Result<Service>;
}

export const kit = providerKit<Rampart>();

/** Works with the service. Without one, it returns what is missing. */
export async function withService<R>(
  { client }: Call<Rampart>,
  work: (service: Service) => Promise<R>,
): Promise<R | { readonly diagnostics: readonly Diagnostic[] }> {
  const { service } = client;
  return service.ok ? work(service.value) : { diagnostics: toDiagnostics(service.problems) };
}
