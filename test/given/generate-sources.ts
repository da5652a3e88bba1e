import { generate } from '../../bin/generate.ts';

/** Sources that Git does not keep are up to date before the first test imports them. */
export function setup(): void {
  generate();
}
