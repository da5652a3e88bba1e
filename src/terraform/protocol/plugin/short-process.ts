import { setFlagsFromString } from 'node:v8';

/** Fewer calls than this are handled before fully optimized code is worth the memory that its compiler takes. */
const fewCalls = 10_000;

let calls = 0;

/**
 * Makes this process small, because Terraform starts several of them in each command, and most end soon. V8 keeps the
 * space for new objects at its smallest, collects it without other threads, and uses only its quick compilers for now.
 */
export function keepSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--no-parallel-scavenge');
  // The parser of HTTP replies is WebAssembly.
  setFlagsFromString('--no-wasm-tier-up');
  setFlagsFromString('--no-wasm-dynamic-tiering');
  setFlagsFromString('--no-turbofan');
}

/** Counts a call: many calls make fully optimized code worthwhile. */
export function countCall(): void {
  calls += 1;
  if (calls === fewCalls) expectMuchWork();
}

/** Lets V8 optimize fully from now on, before work that takes long. */
export function expectMuchWork(): void {
  setFlagsFromString('--turbofan');
}
