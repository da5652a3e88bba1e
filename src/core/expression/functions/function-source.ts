/** How a function is written down: its signature, what it does, and the work. */
export interface FunctionSource {
  /** Such as `string.substring(int, int): string`; single capital letters stand for any type. */
  readonly signature: string;
  readonly about: string;
  /** Absent where the library has it. */
  readonly run?: FunctionBody;
}

/** What stands before the point is the first argument. The checker has compared all of them with the signature. */
export type FunctionBody = (...args: never[]) => unknown;
