import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf, StateInput } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { Diagnostic, Promised, ProviderCall, Reply } from './call.ts';

/** A data source in the form in which its author writes it. */
export interface DataSourceDefinition<S extends Schema, Client> {
  readonly schema: S;
  validate?(config: ConfigOf<S>): Promised<readonly Diagnostic[]>;
  /** The state repeats the configuration, and adds the computed values. */
  read(
    config: KnownConfigOf<S>,
    call: ProviderCall<Client>,
  ): Promised<Reply & { readonly state?: StateInput<S> }>;
}

/** The same in the form that the server uses. */
export interface DataSource<Client> {
  readonly schema: Schema;
  validate?(config: RecordValue): Promised<readonly Diagnostic[]>;
  read(config: RecordValue, call: ProviderCall<Client>): Promised<Reply & { readonly state?: RecordValue }>;
}
