import type { ValueOf } from '../schema/values-of.ts';
import type { Unknown } from '../value/unknown.ts';
import type { Value } from '../value/value.ts';
import type { Type } from '../value/value-type.ts';
import type { Promised } from './call.ts';

export interface Parameter {
  readonly name: string;
  readonly type: Type;
  readonly description: string;
  /** Null is accepted; otherwise Terraform refuses it. */
  readonly nullable?: true;
  /** Unknown values are accepted; otherwise Terraform does not call the function, and the result is unknown. */
  readonly unknownAllowed?: true;
}

/** The result, or the fault, with the number of the argument (from 0) if one caused it. */
export type FunctionReply<T> = { readonly value: T } | { readonly error: string; readonly argument?: number };

/**
 * `provider::<name>::<function>(…)` in the form in which its author writes it: pure, and without provider
 * configuration.
 */
export interface FunctionDefinition<
  Parameters extends readonly Parameter[],
  Variadic extends Parameter | undefined,
  Returns extends Type,
> {
  readonly summary: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Accepts all arguments after the others. */
  readonly variadic?: Variadic;
  readonly returns: Returns;
  readonly deprecated?: string;
  /** `more`: the arguments that `variadic` takes. */
  call(
    given: ArgumentsOf<Parameters>,
    more: readonly Argument<Variadic>[],
  ): Promised<FunctionReply<ValueOf<Returns> | null>>;
}

type ArgumentsOf<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: Argument<Parameters[Index]>;
};

type Argument<P> = P extends { readonly type: infer T }
  ?
      | ValueOf<T, P extends { readonly unknownAllowed: true } ? Unknown : never>
      | (P extends { readonly nullable: true } ? null : never)
      | (P extends { readonly unknownAllowed: true } ? Unknown : never)
  : never;

/** The same in the form that the server uses. */
export interface ProviderFunction {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly variadic?: Parameter;
  readonly returns: Type;
  readonly deprecated?: string;
  call(given: readonly Value[], more: readonly Value[]): Promised<FunctionReply<Value>>;
}

export function defineFunction<
  const Parameters extends readonly Parameter[],
  const Returns extends Type,
  const Variadic extends Parameter | undefined = undefined,
>(definition: FunctionDefinition<Parameters, Variadic, Returns>): ProviderFunction {
  return definition as unknown as ProviderFunction;
}
