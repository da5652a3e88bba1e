import type { Environment } from '../../core/lib/environment.ts';
import type { CheckedSignature } from '../../run/signature/check-signature.ts';
import { requiredSigners } from '../../run/signature/required-signers.ts';

/** The plans whose signatures this command has checked. The accounts of a rollout share them. */
export interface SignedPlans {
  /** From now on, no plan is applied without a signature. */
  require(): void;
  readonly isRequired: () => boolean;
  add(checksum: string, signature: CheckedSignature): void;
  get(checksum: string): CheckedSignature | undefined;
}

export function createSignedPlans(env: Environment): SignedPlans {
  const checked = new Map<string, CheckedSignature>();
  let isRequired = requiredSigners(env) !== undefined;
  return {
    require() {
      isRequired = true;
    },
    isRequired: () => isRequired,
    add: (checksum, signature) => void checked.set(checksum, signature),
    get: (checksum) => checked.get(checksum),
  };
}
