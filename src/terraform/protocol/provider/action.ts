import type { Schema } from '../schema/schema.ts';
import type { ConfigOf, KnownConfigOf } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { Diagnostic, Promised, ProviderCall, Reply } from './call.ts';

/** The context of an action while it runs. */
export interface ActionCall<Client> extends ProviderCall<Client> {
  /** Shows a line to the user while the action runs. It must not contain secrets. */
  progress(message: string): void;
}

interface ActionHandlers<Config, KnownConfig, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /** Checks the action in a plan, and changes nothing. Any value may be unknown. */
  plan?(config: Config, call: ProviderCall<Client>): Promised<Reply>;
  /** Called in an apply. It succeeds unless a diagnostic is an error. */
  invoke(config: KnownConfig, call: ActionCall<Client>): Promised<Reply>;
}

/** An action in the form in which its author writes it: a call of Terraform that stores nothing. */
export type ActionDefinition<S extends Schema, Client> = ActionHandlers<
  ConfigOf<S>,
  KnownConfigOf<S>,
  Client
> & { readonly schema: S };

/** The same in the form that the server uses. */
export type ProviderAction<Client> = ActionHandlers<RecordValue, RecordValue, Client> & {
  readonly schema: Schema;
};
