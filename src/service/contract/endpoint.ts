import type { z } from 'zod';

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/**
 * What the caller may do after a lost response, when it does not know whether the call was carried out. `read` may be
 * repeated freely. `absolute` sets a value, so repeating the call is harmless after a read shows that nobody else has
 * changed it. `absent-is-done` has succeeded if the host no longer exists. `never` must not be repeated without a
 * check.
 */
export type Repetition = 'read' | 'absolute' | 'absent-is-done' | 'never';

/** Made on first use: zod and all schemas of the service take as long to load as Node takes to start. */
export type LazySchema<Type extends z.ZodType = z.ZodType> = () => Type;

export interface ResponseContract {
  readonly meaning: string;
  /** Null: no content. */
  readonly body: LazySchema | null;
}

export interface Endpoint {
  readonly method: Method;
  /** The path below the service's address, with parameters as `{host-id}`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, LazySchema>>;
  readonly request: LazySchema | null;
  /** Every response that the spec names for this action, by status. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** Is the action in the specification's list of those that can return 429 (section 7)? */
  readonly rateLimited: boolean;
  readonly repetition: Repetition;
  readonly spec: string;
  readonly summary: string;
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
