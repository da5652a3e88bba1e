import type { LeafType } from '../value/value.ts';

/** The identity of a resource beyond its state, from Terraform 1.12 on: a flat object of plain attributes. */
export interface IdentityDefinition<State> {
  readonly attributes: Readonly<Record<string, IdentityAttribute>>;
  /** The identity of a state; called after every read, create, update and import. */
  of(state: State): IdentityValue;
}

export interface IdentityAttribute {
  readonly type: LeafType;
  readonly description: string;
  /** Whether an `import` block must set it; optional if absent. */
  readonly required?: true;
}

export type IdentityValue = Readonly<Record<string, string | number | boolean | null>>;
