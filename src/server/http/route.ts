import type { Hono } from 'hono';
import type { z } from 'zod';
import type { ServerAction } from '../../api/access/action.ts';
import type { CallerIdentity, Visible } from '../../api/access/grants.ts';
import type { Clock } from '../../core/lib/surroundings.ts';
import type { Problem, Result } from '../../core/problem/problem.ts';
import type { AuditKind } from '../../run/state/audit/audit-record.ts';
import type { State } from '../../run/state/interface/state.ts';
import type { JobParts } from '../queue/rules/job-parts.ts';
import type { ServerSettings } from '../settings/server-settings.ts';
import type { Acts } from '../sign-in/rules/acts.ts';
import type { CallerLimit } from '../sign-in/rules/rate-limit.ts';
import type { Store } from '../store/open-store.ts';
import type { EventHub } from './event-hub.ts';
import type { ServerWork } from './server-work.ts';

/** What the HTTP side of the server needs from the rest of it. */
export interface HttpParts {
  readonly settings: ServerSettings;
  readonly store: Store;
  /** Runs, rollouts and the audit. */
  readonly state: State;
  /** How a request starts work that it does not wait for. The end of the work is an event. */
  readonly queue: JobParts['queue'];
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

/** One request, after authentication, access and validation. */
export interface RouteCall<Params = unknown, Query = unknown, Body = unknown> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly identity: CallerIdentity;
  /** The accounts that the caller may see. Every query that reads rows of accounts takes it. */
  readonly visible: Visible;
  readonly parts: HttpParts;
  /** Whether the caller may also do something else; null: to something that belongs to no account. */
  readonly may: (action: ServerAction, account: string | null) => boolean;
  /** The other end of the connection. */
  readonly peer: Peer;
  /** The request itself, for routes that stream. */
  readonly request: Request;
  readonly hub: EventHub;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** What a caller must be allowed to do, and to what. A request outside it never reaches the handler. */
export type Access =
  /** Everybody who is signed in. */
  | { readonly action: ServerAction; readonly on: 'self' }
  /** Rows of many accounts: the caller sees those of the accounts where the action is allowed. */
  | { readonly action: ServerAction; readonly on: 'accounts' }
  /** Things that belong to no account, such as tokens and settings: a grant for all accounts. */
  | { readonly action: ServerAction; readonly on: 'server' }
  /** One account: 404 if the caller may not see it, 403 if the caller may not do this to it. */
  | {
      readonly action: ServerAction;
      readonly on: 'account';
      readonly accountOf: (
        params: Readonly<Record<string, string>>,
        parts: HttpParts,
      ) => Promise<Result<string | null>>;
    };

export type RouteMethod = 'get' | 'post' | 'delete';

/** One operation of the API. The same value routes requests, checks access and documents itself. */
export interface ApiRoute {
  /** The name of the method in the generated client: `listAccounts`. */
  readonly id: string;
  readonly method: RouteMethod;
  /** With parameters in braces: `/api/v1/accounts/{name}`. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly access: Access;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Null: a response without a body (204). */
  readonly answer: z.ZodType | null;
  /** 200 unless given. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Media type of the response if it is not JSON. */
  readonly media?: string;
  /** Fields that only contain when the response was made: the ETag leaves them out. */
  readonly volatile?: readonly string[];
  /** The response contains a secret: it is never stored for a repeated idempotency key. */
  readonly isSecret?: boolean;
  /** The id of the GET route with the same parameters whose ETag `If-Match` contains. */
  readonly guards?: string;
  readonly handle: (call: RouteCall) => Promise<Result<unknown> | Response>;
}

interface RouteWith<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, A extends z.ZodType>
  extends Omit<ApiRoute, 'params' | 'query' | 'body' | 'answer' | 'handle'> {
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly answer: A | null;
  readonly handle: (
    call: RouteCall<z.output<P>, z.output<Q>, z.output<B>>,
  ) => Promise<Result<Answered<z.input<A>>> | Response>;
}

/** What a route answers: a date becomes its time in the JSON. */
export type Answered<T> = T extends string
  ? string extends T
    ? T | Date
    : T
  : T extends readonly (infer Item)[]
    ? readonly Answered<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Answered<T[Name]> }
      : T;

/** Checks the types of a route's handler against its schemas. */
export function route<P extends z.ZodObject, Q extends z.ZodObject, B extends z.ZodType, A extends z.ZodType>(
  given: RouteWith<P, Q, B, A>,
): ApiRoute {
  return given as unknown as ApiRoute;
}

/** Records what the caller is about to do. An act that can't be recorded must not happen. */
export function recordAct(
  { parts, identity, peer }: Pick<RouteCall, 'parts' | 'identity' | 'peer'>,
  kind: AuditKind,
  what: Readonly<Record<string, unknown>>,
  reason?: string,
): Promise<Result<null>> {
  return parts.acts.record({ kind, by: identity.subject, from: peer.address, what, reason });
}

/** Records an act that the transaction of a store makes: both happen, or neither. The transaction fails if it can't be recorded. */
export function recordActWithin(
  store: Pick<Store, 'db'>,
  { parts, identity, peer }: Pick<RouteCall, 'parts' | 'identity' | 'peer'>,
  kind: AuditKind,
  what: Readonly<Record<string, unknown>>,
  reason?: string,
): void {
  parts.acts.recordWithin(store.db, {
    kind,
    by: identity.subject,
    from: peer.address,
    what,
    reason,
  });
}
