import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { Diagnostic, Promised, ProviderCall, Reply } from './call.ts';

/** One existing object of a resource type. Its identity is that of its state. */
export interface FoundObject<State> {
  /** For people, on one line. */
  readonly displayName: string;
  /** The whole state, as a read after an import returns it. */
  readonly state: State;
}

interface ListHandlers<Config, KnownConfig, State, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /** `found` is consumed one by one, and only up to the limit of the caller. */
  list(
    config: KnownConfig,
    call: ProviderCall<Client>,
  ): Promised<Reply & { readonly found?: Iterable<FoundObject<State>> }>;
}

/**
 * A `list` block of `terraform query` in the form in which its author writes it. The schema is that of its `config`
 * block. A resource type with an identity must have the same name.
 */
export type ListResourceDefinition<S extends Schema, State, Client> = ListHandlers<
  ConfigOf<S>,
  KnownConfigOf<S>,
  State,
  Client
> & { readonly schema: S };

/** The same in the form that the server uses. */
export type ListResource<Client> = ListHandlers<RecordValue, RecordValue, RecordValue, Client> & {
  readonly schema: Schema;
};
