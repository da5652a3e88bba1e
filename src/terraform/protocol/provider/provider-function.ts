import type { ValueOf } from '../schema/values-of.ts';
import type { Type, Value } from '../value/value.ts';
import type { Promised } from './call.ts';

export interface Parameter {
  readonly name: string;
  /** Terraform refuses null, and does not call the function for unknown values: the result is then unknown. */
  readonly type: Type;
  readonly description: string;
}

/** The result, or the fault, with the number of the argument (from 0) if one caused it. */
export type FunctionReply<T> = { readonly value: T } | { readonly error: string; readonly argument?: number };

/**
 * `provider::<name>::<function>(…)` in the form in which its author writes it: pure, and without provider
 * configuration.
 */
export interface FunctionDefinition<Parameters extends readonly Parameter[], Returns extends Type> {
  readonly summary: string;
  readonly description: string;
  readonly parameters: Parameters;
  readonly returns: Returns;
  call(given: ArgumentsOf<Parameters>): Promised<FunctionReply<ValueOf<Returns> | null>>;
}

type ArgumentsOf<Parameters extends readonly Parameter[]> = {
  readonly [Index in keyof Parameters]: ValueOf<Parameters[Index]['type']>;
};

/** The same in the form that the server uses. */
export interface ProviderFunction {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly returns: Type;
  call(given: readonly Value[]): Promised<FunctionReply<Value>>;
}

export function defineFunction<const Parameters extends readonly Parameter[], const Returns extends Type>(
  definition: FunctionDefinition<Parameters, Returns>,
): ProviderFunction {
  return definition;
}
