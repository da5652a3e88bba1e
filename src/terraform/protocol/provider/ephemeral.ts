import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf, StateInput } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { DeferrableReply, PrivateReply, Promised, ProviderCall, Reply } from './call.ts';
import type { Diagnostic } from './diagnostic.ts';

interface Renewal extends PrivateReply {
  /** When to renew; well before the real end, because Terraform asks exactly then. Absent: never. */
  readonly renewAt?: Date;
}

interface EphemeralHandlers<Config, KnownConfig, Result, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /** Called in the plan and again in the apply, and only when the whole configuration is known. */
  open(
    config: KnownConfig,
    call: ProviderCall<Client>,
  ): Promised<DeferrableReply & Renewal & { readonly result?: Result }>;
  renew?(opened: { readonly private: unknown }, call: ProviderCall<Client>): Promised<Reply & Renewal>;
  close?(opened: { readonly private: unknown }, call: ProviderCall<Client>): Promised<Reply>;
}

/**
 * An ephemeral resource in the form in which its author writes it: a value that is used in a run and stored nowhere.
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
