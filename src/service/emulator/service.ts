import type { Answer } from './answer.ts';
import type { CategoryState } from './fleet-state.ts';
import type { FleetStore, FleetView } from './fleet-store.ts';
import type { ReportStore } from './report-store.ts';
import type { Switches } from './switches.ts';

/** What the handlers of all actions work on. */
export interface Service {
  readonly store: FleetStore;
  readonly switches: Switches;
  readonly categories: readonly CategoryState[];
  readonly reports: ReportStore;
  /** Installs that were taken on, by host. */
  readonly installs: Map<string, number>;
  /** Tickets given out so far. */
  tickets: number;
}

/** One call, past its checks of route, credentials and headers. */
export interface Call<Body = unknown> {
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Body;
  readonly profile: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Only the headers of the answer are sent, so nothing may change. */
  readonly isHead: boolean;
  /** The fleet that a list shows: a fault may have made it stale or short. */
  readonly view: FleetView;
}

export type Handler<Body = unknown> = (service: Service, call: Call<Body>) => Answer;
