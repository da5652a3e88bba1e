import { runInThisContext } from 'node:vm';

/** A bit of V8's status of a function: its last compiler, TurboFan, has compiled it. */
const turboFanned = 1 << 6;

/** Whether V8 fully optimizes a function now. Needs `--allow-natives-syntax`. */
export function isOptimizing(): boolean {
  const status = runInThisContext(`
    function add(a, b) { return a + b; }
    %PrepareFunctionForOptimization(add);
    add(1, 2);
    add(3, 4);
    %OptimizeFunctionOnNextCall(add);
    add(5, 6);
    %GetOptimizationStatus(add);`) as number;
  return (status & turboFanned) !== 0;
}
