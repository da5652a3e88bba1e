import type { Schema } from '../schema/schema.ts';
import type { ConfigOf } from '../schema/values-of.ts';
import type { RecordValue } from '../value/value.ts';
import type { ActionDefinition, Diagnostic, Promised, ProviderAction, Reply } from './call.ts';
import type { DataSource, DataSourceDefinition } from './data-source.ts';
import type { Ephemeral, EphemeralDefinition } from './ephemeral.ts';
import type { ListResource, ListResourceDefinition } from './list-resource.ts';
import type { ProviderFunction } from './provider-function.ts';
import type { Resource, ResourceDefinition } from './resource.ts';

interface ProviderHandlers<Config, Client> {
  validate?(config: Config): Promised<readonly Diagnostic[]>;
  /**
   * Called once per connection, before everything except validation, functions and moves. Any value may be unknown in a
   * plan: then create a client whose calls report the missing argument.
   */
  configure(config: Config): Promised<Reply & { readonly client?: Client }>;
  /** Called when Terraform was interrupted: all calls in flight should end within seconds. */
  stop?(client: Client): void;
  /** Called when the connection ends. */
  close?(client: Client): Promised<void>;
}

interface Offers<Client> {
  /** By their full names, such as `rampart_host`. */
  readonly resources?: Readonly<Record<string, Resource<Client>>>;
  readonly dataSources?: Readonly<Record<string, DataSource<Client>>>;
  readonly ephemerals?: Readonly<Record<string, Ephemeral<Client>>>;
  /** By the names of their resource types. */
  readonly lists?: Readonly<Record<string, ListResource<Client>>>;
  readonly actions?: Readonly<Record<string, ProviderAction<Client>>>;
  /** By their bare names. */
  readonly functions?: Readonly<Record<string, ProviderFunction>>;
}

export type ProviderDefinition<S extends Schema, Client> = ProviderHandlers<ConfigOf<S>, Client> &
  Offers<Client> & { readonly schema: S };

/** The same in the form that the server uses. */
export type Provider<Client> = ProviderHandlers<RecordValue, Client> &
  Offers<Client> & { readonly schema: Schema };

export interface ProviderKit<Client> {
  resource<const S extends Schema>(definition: ResourceDefinition<S, Client>): Resource<Client>;
  dataSource<const S extends Schema>(definition: DataSourceDefinition<S, Client>): DataSource<Client>;
  ephemeral<const S extends Schema>(definition: EphemeralDefinition<S, Client>): Ephemeral<Client>;
  /** `State`: the state of the resource type with the same name. */
  list<const S extends Schema, State>(
    definition: ListResourceDefinition<S, State, Client>,
  ): ListResource<Client>;
  action<const S extends Schema>(definition: ActionDefinition<S, Client>): ProviderAction<Client>;
  provider<const S extends Schema>(definition: ProviderDefinition<S, Client>): Provider<Client>;
}

/**
 * Functions for writing a provider whose handlers use a `Client`. Each converts its definition to the form that the
 * server uses. The types of single schemas end here, and the server checks every value that passes.
 */
export function providerKit<Client>(): ProviderKit<Client> {
  return {
    resource: (definition) => definition,
    dataSource: (definition) => definition,
    ephemeral: (definition) => definition,
    list: (definition) => definition as ListResource<Client>,
    action: (definition) => definition,
    provider: (definition) => definition,
  };
}
