import type { ListType, MapType, ObjectType, SetType, Type, Unknown, Value } from '../value/value.ts';
import type { BlockBody } from './schema.ts';

/** The origin of values: the configuration, a plan while it is made, a plan while it is applied, or the state. */
type Stage = 'config' | 'known-config' | 'proposed' | 'planned' | 'state' | 'partial';

/** Read: every attribute exists. Given: nullable attributes and blocks may be left out. */
type Form = 'read' | 'given';

/** The values of the configuration: any may be unknown. */
export type ConfigOf<S extends BlockBody> = Body<S, 'config', 'read'>;
/** The values of the configuration when a plan is applied: none is unknown. */
export type KnownConfigOf<S extends BlockBody> = Body<S, 'known-config', 'read'>;
/** A plan while it is made: any value may be unknown. */
export type ProposedOf<S extends BlockBody> = Body<S, 'proposed', 'read'>;
/** A plan while it is applied: only computed attributes may be unknown. */
export type PlannedOf<S extends BlockBody> = Body<S, 'planned', 'read'>;
/** The stored values: none is unknown. */
export type StateOf<S extends BlockBody> = Body<S, 'state', 'read'>;
/** The stored values just after an import: any may be null. */
export type PartialStateOf<S extends BlockBody> = Body<S, 'partial', 'read'>;

/** A state that a handler returns: nullable members may be left out. */
export type StateInput<S extends BlockBody> = Body<S, 'state', 'given'>;
export type ProposedInput<S extends BlockBody> = Body<S, 'proposed', 'given'>;
export type PartialStateInput<S extends BlockBody> = Body<S, 'partial', 'given'>;

/** The value of a single type, such as a function's parameter; `U` is `Unknown` if it may be unknown. */
export type ValueOf<T, U = never> = [Type] extends [T] ? Value : KnownValueOf<T, U>;

type KnownValueOf<T, U> = T extends 'string'
  ? string
  : T extends 'bool'
    ? boolean
    : T extends 'number'
      ? number
      : T extends ListType
        ? readonly (ValueOf<T['list'], U> | U)[]
        : T extends SetType
          ? readonly (ValueOf<T['set'], U> | U)[]
          : T extends MapType
            ? Readonly<Record<string, ValueOf<T['map'], U> | U>>
            : T extends ObjectType
              ? { readonly [Name in keyof T['object']]: ValueOf<T['object'][Name], U> | null | U }
              : never;

type Body<S extends BlockBody, At extends Stage, As extends Form> = As extends 'read'
  ? { readonly [Name in keyof S['attributes']]: Member<S['attributes'][Name], At, As> } & {
      readonly [Name in keyof S['blocks']]: BlockMember<S['blocks'][Name], At, As>;
    }
  : {
      readonly [Name in keyof S['attributes'] as null extends Member<S['attributes'][Name], At, As>
        ? never
        : Name]: Member<S['attributes'][Name], At, As>;
    } & {
      readonly [Name in keyof S['attributes'] as null extends Member<S['attributes'][Name], At, As>
        ? Name
        : never]?: Member<S['attributes'][Name], At, As>;
    } & { readonly [Name in keyof S['blocks']]?: BlockMember<S['blocks'][Name], At, As> };

type Member<A, At extends Stage, As extends Form> = Content<A, At, As> | Absent<A, At> | Unsure<A, At>;

type Content<A, At extends Stage, As extends Form> = A extends {
  readonly nested: infer N;
  readonly attributes: infer Inner;
}
  ? Collected<N, Body<{ readonly attributes: Extract<Inner, NonNullable<BlockBody['attributes']>> }, At, As>>
  : A extends { readonly type: infer T }
    ? ValueOf<T, Unsure<A, At>>
    : never;

type BlockMember<B, At extends Stage, As extends Form> = B extends BlockBody & { readonly nesting: infer N }
  ?
      | Collected<N, Body<B, At, As>>
      | (N extends 'single' ? null : At extends 'config' | 'proposed' ? Unknown : never)
  : never;

type Collected<N, Inner> = N extends 'list'
  ? readonly Inner[]
  : N extends 'map'
    ? Readonly<Record<string, Inner>>
    : Inner;

type Absent<A, At extends Stage> = At extends 'partial'
  ? null
  : A extends { readonly required: true }
    ? never
    : A extends { readonly nonNull: true }
      ? At extends 'state'
        ? never
        : null
      : null;

type Unsure<A, At extends Stage> = At extends 'config' | 'proposed'
  ? Unknown
  : At extends 'planned'
    ? A extends { readonly computed: true }
      ? Unknown
      : never
    : never;
