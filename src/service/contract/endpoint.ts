import type { z } from 'zod';

export type Method = 'GET' | 'PUT' | 'POST' | 'DELETE';

/**
 * What a lost reply means for a caller who does not know whether the call was carried out:
 * `read` repeats freely; `absolute` sets a value, so the same call again is harmless once a read shows that
 * nobody else has moved; `gone-is-done` has reached its end when the host is no longer there; `never` must not
 * be repeated blindly.
 */
export type Repetition = 'read' | 'absolute' | 'absent-is-done' | 'never';

/** Made when it is first asked for: zod and all schemas of the service take as long to load as Node to start. */
export type Schema<Type extends z.ZodType = z.ZodType> = () => Type;

export interface ResponseContract {
  readonly meaning: string;
  /** Null: no content. */
  readonly body: Schema | null;
}

export interface Endpoint {
  readonly method: Method;
  /** Path below the service's address, parameters as `{host-id}`. */
  readonly path: string;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly request: Schema | null;
  /** Every response the spec names for this action, by status. */
  readonly responses: Readonly<Record<number, ResponseContract>>;
  /** Is the action in the spec's list of those that answer 429? (section 7) */
  readonly rateLimited: boolean;
  readonly repetition: Repetition;
  readonly spec: string;
  readonly summary: string;
}

export function endpoint<const E extends Endpoint>(definition: E): E {
  return definition;
}
