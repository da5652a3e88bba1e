import type { EngineEvent } from '../../../accounts/engine/engine-parts.ts';
import type { Exchanges } from '../../../accounts/engine/exchanges.ts';
import type { Clock, Environment } from '../../../core/lib/surroundings.ts';
import type { State } from '../../../run/state/interface/state.ts';
import type { ServerSettings } from '../../settings/server-settings.ts';
import type { DesiredStates } from '../../sources/rules/desired-states.ts';
import type { Store } from '../../store/open-store.ts';
import type { Queue } from '../queue.ts';

/** What the jobs of one process share. */
export interface JobParts {
  readonly env: Environment;
  readonly settings: ServerSettings;
  readonly store: Store;
  readonly state: State;
  readonly exchanges: Exchanges;
  readonly clock: Clock;
  readonly desired: DesiredStates;
  readonly queue: Pick<Queue, 'send'>;
  /** Counts and traces events of an account. */
  readonly onEvent?: (account: string, event: EngineEvent) => void;
  /** Called if an account is not checked because a newer configuration gave its name to another tenant. */
  readonly onOtherTenant?: (account: string) => void;
}
