import { runInThisContext } from 'node:vm';

/** A bit of V8's status of a function. */
const optimized = 1 << 4;

/** Whether V8 optimizes a function now. Needs `--allow-natives-syntax`. */
export function isOptimizing(): boolean {
  const status = runInThisContext(`
    function add(a, b) { return a + b; }
    %PrepareFunctionForOptimization(add);
    add(1, 2);
    add(3, 4);
    %OptimizeFunctionOnNextCall(add);
    add(5, 6);
    %GetOptimizationStatus(add);`) as number;
  return (status & optimized) !== 0;
}
