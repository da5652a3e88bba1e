import { problem } from '../../core/problem/problem.ts';
import { failed, type Result } from '../../core/problem/result.ts';
import { readBytes } from '../state/files/read-bytes.ts';
import type { Environment } from '../state/origin/environment.ts';
import { type AllowedSigner, readAllowedSigners } from './allowed-signers.ts';
import { readSigningKey, type SigningKey } from './ssh-key.ts';

/** Names of allowed signers, of whom one must have signed each plan. */
const requireSignatureVariable = 'RAMPART_REQUIRE_SIGNATURE';
const signingKeyVariable = 'RAMPART_SIGNING_KEY_FILE';
const allowedSignersVariable = 'RAMPART_ALLOWED_SIGNERS';

export interface SignatureSettings {
  readonly env: Environment;
  /** Makes the path of a file that a variable names absolute. */
  readonly path: (shown: string) => string;
}

/** Undefined: no signature is required. A value without a name requires what nobody can give. */
export function requiredSigners(env: Environment): readonly string[] | undefined {
  const value = env[requireSignatureVariable] ?? '';
  if (value === '') return undefined;
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The key of this process. */
export async function openSigningKey({ env, path }: SignatureSettings): Promise<Result<SigningKey>> {
  const shown = env[signingKeyVariable] ?? '';
  if (shown === '') return failed(noKey);
  const bytes = await readBytes(path(shown), shown);
  return bytes.ok ? readSigningKey(bytes.value.toString('utf8'), shown) : bytes;
}

const noKey = problem('missing-credentials', 'there is no key to sign the plan with', {
  hint: `set ${signingKeyVariable} to the file of an Ed25519 key, such as one of: ssh-keygen -t ed25519`,
});

/** Who may sign plans at all. */
export async function readSigners({
  env,
  path,
}: SignatureSettings): Promise<Result<readonly AllowedSigner[]>> {
  const shown = env[allowedSignersVariable] ?? '';
  if (shown === '') return failed(noSigners);
  const bytes = await readBytes(path(shown), shown);
  return bytes.ok ? readAllowedSigners(bytes.value.toString('utf8'), shown) : bytes;
}

const noSigners = problem(
  'configuration',
  `a signature is required, and ${allowedSignersVariable} is not set`,
  {
    hint: `set it to a file with lines such as: alice@example.com ssh-ed25519 AAAA…`,
  },
);
