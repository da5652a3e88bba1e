import { setFlagsFromString } from 'node:v8';

/** Fewer calls than this are answered before optimized code is worth the memory that its compilers take. */
const fewCalls = 2_500;

/** The sizes, in bytes of bytecode, up to which V8 optimizes a function: none, and its default. */
const optimized = { none: 0, default: 60 * 1024 } as const;

let calls = 0;

/**
 * Makes this process small, because Terraform starts several of them in each command, and most end soon. V8 keeps the
 * space for new objects at its smallest, collects it without other threads, and compiles no optimized code for now.
 */
export function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-parallel-scavenge');
  // The parser of HTTP replies is WebAssembly.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  optimizeUpTo(optimized.none);
}

/** Counts a call: many calls make optimized code worthwhile. */
export function countCall(): void {
  calls += 1;
  if (calls === fewCalls) expectMuchWork();
}

/** Lets V8 optimize from now on, before work that takes long. */
export function expectMuchWork(): void {
  optimizeUpTo(optimized.default);
}

function optimizeUpTo(bytes: number): void {
  setFlagsFromString(`--max-optimized-bytecode-size=${bytes}`);
}
