import type { Hono } from 'hono';
import type { CallerIdentity } from '../../api/access/grants.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { Problem } from '../../core/problem/problem.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Acts } from '../sign-in/rules/acts.ts';
import type { CallerLimit } from '../sign-in/rules/rate-limit.ts';
import type { Store } from '../store/open-store.ts';
import type { ServerWork } from './server-work.ts';

/** What the HTTP side of the server needs from the rest of it. */
export interface HttpParts {
  readonly settings: ServerSettings;
  readonly store: Store;
  /** Runs, rollouts and the audit. */
  readonly state: State;
  readonly work: ServerWork;
  /** The audit log of what people and programs do. */
  readonly acts: Acts;
  /** Called with each secret as soon as it is known, so that no output shows it. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly clock: Clock;
  /** The sender of a request: a session, a token or a pipeline. A problem becomes a 401 or 403. */
  readonly identify: (request: Request, peer: Peer) => Promise<CallerIdentity | Problem>;
  /** Adds the routes of login, webhooks, metrics and health, which are not part of the API. */
  readonly mount?: (app: Hono) => void;
  /** The folder of the built console. Without it, only the API responds. */
  readonly consoleFolder: string;
  readonly version: string;
  readonly isEmulator: boolean;
  /** Requests that one caller, or one address without a valid token, may send. */
  readonly limits?: { readonly caller?: CallerLimit; readonly stranger?: CallerLimit };
  /** The time between two heartbeats of a stream of events, in milliseconds. */
  readonly heartbeatMs?: number;
  /** Called for each request; it returns a function to call once the response is ready. */
  readonly onRequest?: () => () => void;
  /** Called once for each response, for logs and metrics. */
  readonly onAnswer?: (answer: AnswerFacts) => void;
  /** A defect: an exception that no route expects. It never reaches the client. */
  readonly onFault?: (fault: unknown, requestId: string) => void;
}

/** The other end of a connection. */
export interface Peer {
  readonly address: string;
}

export interface AnswerFacts {
  readonly requestId: string;
  readonly method: string;
  /** The pattern of the route, never the address itself: `/api/v1/accounts/{name}`. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The id of the person, token or pipeline, once known. */
  readonly subject: string | null;
}
