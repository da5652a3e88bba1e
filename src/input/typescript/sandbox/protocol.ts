import type { ScriptPlace } from '../../sources/script-output.ts';

/** What the process of a script asks of Rampart: the file that a specifier names in another file. */
export interface ModuleRequest {
  readonly specifier: string;
  /** The name of the importing file; empty for the script itself. */
  readonly from: string;
  readonly way: 'import' | 'require';
}

export type ModuleKind = 'module' | 'commonjs' | 'json' | 'text';

export type ModuleAnswer =
  | {
      /** A `file:` address that contains only the path in the project. */
      readonly name: string;
      readonly kind: ModuleKind;
      readonly text: string;
    }
  | { readonly refused: string; readonly hint?: string };

/** What the process of a script sends, one line of JSON each. Every line but a request is the last. */
export type ScriptMessage =
  | { readonly kind: 'find'; readonly request: ModuleRequest }
  | { readonly kind: 'print'; readonly text: string }
  /** The value as `encodeFleet` writes it. */
  | { readonly kind: 'value'; readonly value: unknown }
  | ({ readonly kind: 'failed' } & SandboxFailure);

export interface SandboxFailure {
  readonly message: string;
  readonly hint?: string;
  readonly at?: ScriptPlace;
}

/** The first argument of the process, as JSON. */
export interface ScriptStart {
  readonly script: string;
  readonly timeLimitMs: number;
  /** Begins each text that stands for another value. */
  readonly mark: string;
}

export function tookTooLong(timeLimitMs: number): SandboxFailure {
  return {
    message: `the script did not end and was stopped after ${timeLimitMs / 1000} s`,
    hint: 'check it for an endless loop',
  };
}

/** Around the text of a CommonJS module, which is a function. It moves the columns of its first line. */
export const wrapperStart = '(function (exports, require, module) {';
