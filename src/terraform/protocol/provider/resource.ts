import type { Schema } from '../schema/schema.ts';
import type {
  ConfigOf,
  PartialStateInput,
  PartialStateOf,
  PlannedOf,
  ProposedInput,
  ProposedOf,
  StateInput,
  StateOf,
} from '../schema/values-of.ts';
import type { Path } from '../value/path.ts';
import type { RecordValue } from '../value/value.ts';
import type { Diagnostic, PrivateReply, Promised, ProviderCall, Reply } from './call.ts';
import type { IdentityDefinition, IdentityValue } from './identity.ts';

/** The values of one resource at every stage. */
interface ResourceValues {
  readonly config: unknown;
  readonly proposed: unknown;
  readonly proposedInput: unknown;
  readonly planned: unknown;
  readonly state: unknown;
  readonly stateInput: unknown;
  readonly partial: unknown;
  readonly partialInput: unknown;
}

/** The values of a resource with this schema. */
export interface ResourceValuesOf<S extends Schema> {
  readonly config: ConfigOf<S>;
  readonly proposed: ProposedOf<S>;
  readonly proposedInput: ProposedInput<S>;
  readonly planned: PlannedOf<S>;
  readonly state: StateOf<S>;
  readonly stateInput: StateInput<S>;
  readonly partial: PartialStateOf<S>;
  readonly partialInput: PartialStateInput<S>;
}

type RecordValues = { readonly [Name in keyof ResourceValues]: RecordValue };

/** A managed resource in the form in which its author writes it. */
export type ResourceDefinition<S extends Schema, Client> = ResourceHandlers<ResourceValuesOf<S>, Client> & {
  readonly schema: S;
};

/** The same in the form that the server uses, for any schema. */
export type Resource<Client> = ResourceHandlers<RecordValues, Client> & { readonly schema: Schema };

interface ResourceHandlers<V extends ResourceValues, Client> {
  readonly identity?: IdentityDefinition<V['state']>;
  /** Checks that need several attributes. Any value may be unknown; there is no provider configuration. */
  validate?(config: V['config']): Promised<readonly Diagnostic[]>;
  /** Changes the plan that the schema makes by itself; not called if the resource will be deleted. */
  plan?(change: PlanInput<V>, call: ProviderCall<Client>): Promised<PlanReply<V>>;
  /** Warns of a deletion, or refuses it. `delete` receives the private data that this returns. */
  planDelete?(prior: StoredResource<V>, call: ProviderCall<Client>): Promised<Reply & PrivateReply>;
  create(change: ApplyInput<V>, call: ProviderCall<Client>): Promised<ApplyReply<V>>;
  /** `state: null` means that it no longer exists. After an import, any attribute of the given state may be null. */
  read(current: ReadInput<V>, call: ProviderCall<Client>): Promised<ReadReply<V>>;
  update(
    change: ApplyInput<V> & { readonly prior: V['state'] },
    call: ProviderCall<Client>,
  ): Promised<ApplyReply<V>>;
  /**
   * If a diagnostic is an error, the resource is kept in the state. `private` comes from the plan, which is that of the
   * new object if this one is replaced.
   */
  delete(prior: StoredResource<V>, call: ProviderCall<Client>): Promised<Reply>;
  /** A read follows, so values that are not known yet may be left out. */
  import?(target: ImportTarget, call: ProviderCall<Client>): Promised<ImportReply<V>>;
  /** Attributes that generated configuration leaves out for this state, in addition to computed values and defaults. */
  leftOut?(state: V['state']): readonly string[];
  /**
   * A stored state without the attributes that describe only the apply that stored it; pure. Terraform compares the
   * next read with the result, so it does not report these attributes as drift.
   */
  forget?(stored: StoredState): StoredState;
}

/** A state as Terraform stores it: the members of a JSON object. */
export type StoredState = Readonly<Record<string, unknown>>;

export interface PlanInput<V extends ResourceValues> {
  readonly config: V['config'];
  /** Null: it will be created. */
  readonly prior: V['state'] | null;
  /** The plan that the schema makes by itself. */
  readonly planned: V['proposed'];
  /** If `prior` is null and this is not, it comes from the plan for the old object, which is replaced. */
  readonly private: unknown;
  /** The private data of the plan that is being applied; null in a plan, and before Terraform 1.16. */
  readonly approved: unknown;
}

export interface PlanReply<V extends ResourceValues> extends Reply, PrivateReply {
  /** Absent: the plan that the schema makes by itself. */
  readonly planned?: V['proposedInput'];
  /** Attributes whose change needs a replacement, in addition to those that the schema names. */
  readonly requiresReplace?: readonly Path[];
}

/**
 * Exactly what to apply. Configuration is not included: it may contain more than the plan showed, because Terraform
 * leaves out `ignore_changes`.
 */
export interface ApplyInput<V extends ResourceValues> {
  readonly planned: V['planned'];
  readonly private: unknown;
}

/** With errors: the state that was reached, or none. A create with both is stored as tainted. */
export interface ApplyReply<V extends ResourceValues> extends Reply, PrivateReply {
  readonly state?: V['stateInput'];
}

/** A resource that is destroyed. */
export interface StoredResource<V extends ResourceValues> {
  readonly state: V['state'];
  readonly private: unknown;
}

export interface ReadInput<V extends ResourceValues> {
  readonly state: V['partial'];
  readonly private: unknown;
  readonly identity: IdentityValue | null;
}

export interface ReadReply<V extends ResourceValues> extends Reply, PrivateReply {
  readonly state?: V['stateInput'] | null;
}

export type ImportTarget =
  | { readonly by: 'id'; readonly id: string }
  | { readonly by: 'identity'; readonly identity: IdentityValue };

export interface ImportReply<V extends ResourceValues> extends Reply, PrivateReply {
  readonly state?: V['partialInput'];
}
