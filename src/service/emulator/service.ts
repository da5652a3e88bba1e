import type { EmulatedAnswer } from './answer.ts';
import type { CategoryState } from './fleet-state.ts';
import type { FleetStore, FleetView } from './fleet-store.ts';
import type { ReportStore } from './report-store.ts';
import type { Switches } from './switches.ts';

/** The state that the handlers of all actions use. */
export interface Service {
  readonly store: FleetStore;
  readonly switches: Switches;
  readonly categories: readonly CategoryState[];
  readonly reports: ReportStore;
  /** Accepted installs, by host. */
  readonly installs: Map<string, number>;
  /** The number of tickets issued so far. */
  tickets: number;
}

/** One call that has passed the checks of route, credentials and headers. */
export interface EmulatedCall<Body = unknown> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly profile: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Only the headers of the response are sent, so nothing may change. */
  readonly isHead: boolean;
  /** The fleet in a list, which a fault may have made stale or short. */
  readonly view: FleetView;
}

export type ActionHandler<Body = unknown> = (service: Service, call: EmulatedCall<Body>) => EmulatedAnswer;
