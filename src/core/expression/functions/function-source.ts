/** The definition of a function: its signature, what it does, and the work it counts. */
export interface FunctionSource {
  /** For example `string.substring(int, int): string`; single capital letters stand for any type. */
  readonly signature: string;
  readonly about: string;
  /** Absent if the library has the function. */
  readonly run?: FunctionBody;
}

/** The receiver is the first argument. The checker has compared all arguments with the signature. */
export type FunctionBody = (...args: never[]) => unknown;
