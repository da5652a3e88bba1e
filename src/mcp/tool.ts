import type { z } from 'zod';

/** The result of a tool. Problems are warnings if `ok`, and otherwise the reasons for the failure. */
export type ToolAnswer =
  | { readonly ok: true; readonly value: unknown; readonly problems: readonly ToolProblem[] }
  | { readonly ok: false; readonly problems: readonly ToolProblem[] };

export interface ToolProblem {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

type ToolEffect = 'reads' | 'proposes';

/** A question that a program may ask. No tool changes a fleet, or decides that one is changed. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly input: z.ZodObject;
  /** Whether it only reads, or also opens pull requests, which people review. */
  readonly effect: ToolEffect;
  /** Takes input that its schema has checked. */
  answer(input: unknown): Promise<ToolAnswer>;
}

export function toolFor<Input extends z.ZodObject>(
  name: string,
  description: string,
  input: Input,
  answer: (input: z.infer<Input>) => Promise<ToolAnswer>,
  effect: ToolEffect = 'reads',
): Tool {
  return { name, description, input, effect, answer: (given) => answer(given as z.infer<Input>) };
}
