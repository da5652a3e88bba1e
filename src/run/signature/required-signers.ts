import type { Environment } from '../../core/lib/surroundings.ts';

/**
 * The names of the possible signers, one of whom must have signed each plan. Undefined: no signature is required. A
 * value without a name requires a signature that nobody can give.
 */
export function requiredSigners(env: Environment): readonly string[] | undefined {
  const value = env['RAMPART_REQUIRE_SIGNATURE'] ?? '';
  if (value === '') return undefined;
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
