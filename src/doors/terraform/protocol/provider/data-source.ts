import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf, StateInput } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { Call, DeferrableReply, Promised } from './call.ts';
import type { Diagnostic } from './diagnostic.ts';

/** A data source as its author writes it. */
export interface DataSourceDefinition<S extends Schema, Client> {
  readonly schema: S;
  validate?(config: ConfigOf<S>): Promised<readonly Diagnostic[]>;
  /** The state repeats what configuration says, and adds what is computed. */
  read(
    config: KnownConfigOf<S>,
    call: Call<Client>,
  ): Promised<DeferrableReply & { readonly state?: StateInput<S> }>;
}

/** The same as the server sees it. */
export interface DataSource<Client> {
  readonly schema: Schema;
  validate?(config: RecordValue): Promised<readonly Diagnostic[]>;
  read(config: RecordValue, call: Call<Client>): Promised<DeferrableReply & { readonly state?: RecordValue }>;
}
