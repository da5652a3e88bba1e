import { setFlagsFromString } from 'node:v8';

/** Fewer calls than this are answered before optimised code is worth the memory that its compilers take. */
const fewCalls = 2_500;

/** The sizes, in bytes of bytecode, up to which V8 optimises a function: none, and its default. */
const optimised = { none: 0, default: 60 * 1024 } as const;

let calls = 0;

/**
 * Makes this process small, because Terraform starts several of them in each command, and most end soon. V8 keeps the
 * space for new objects at its smallest, collects it without other threads, and compiles no optimised code for now.
 */
export function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-parallel-scavenge');
  optimiseUpTo(optimised.none);
}

/** Counts a call: many calls make optimised code worthwhile. */
export function countCall(): void {
  calls += 1;
  if (calls === fewCalls) expectMuchWork();
}

/** Lets V8 optimise from now on, before work that takes long. */
export function expectMuchWork(): void {
  optimiseUpTo(optimised.default);
}

function optimiseUpTo(bytes: number): void {
  setFlagsFromString(`--max-optimized-bytecode-size=${bytes}`);
}
