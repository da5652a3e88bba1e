import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf, StateInput } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { Diagnostic, Promised, ProviderCall, Reply } from './call.ts';

interface EphemeralHandlers<Config, KnownConfig, Result, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /** Called in the plan and again in the apply, and only when the whole configuration is known. */
  open(config: KnownConfig, call: ProviderCall<Client>): Promised<Reply & { readonly state?: Result }>;
}

/**
 * An ephemeral resource in the form in which its author writes it: a value that is used in a run and stored nowhere.
 * It is never renewed, and nothing has to be closed.
 */
export type EphemeralDefinition<S extends Schema, Client> = EphemeralHandlers<
  ConfigOf<S>,
  KnownConfigOf<S>,
  StateInput<S>,
  Client
> & { readonly schema: S };

/** The same in the form that the server uses. */
export type Ephemeral<Client> = EphemeralHandlers<RecordValue, RecordValue, RecordValue, Client> & {
  readonly schema: Schema;
};
