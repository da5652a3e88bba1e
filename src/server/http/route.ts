import type { z } from 'zod';
import type { ServerAction } from '../../api/access/action.ts';
import type { CallerIdentity, Visible } from '../../api/access/grants.ts';
import type { Result } from '../../core/problem/problem.ts';
import type { EventHub } from './event-hub.ts';
import type { HttpParts, Peer } from './http-parts.ts';

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
