import { type Environment, isSet } from '../../core/lib/surroundings.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { readBytes } from '../state/files/read-bytes.ts';
import { readAllowedSigners } from './allowed-signers.ts';
import type { SignatureRules } from './check-signature.ts';
import { readSigningKey, type SigningKey } from './ssh-key.ts';

const signingKeyVariable = 'RAMPART_SIGNING_KEY_FILE';
const allowedSignersVariable = 'RAMPART_ALLOWED_SIGNERS';
const sigstoreRootVariable = 'RAMPART_SIGSTORE_ROOT';
/** GitLab puts an ID token with the audience `sigstore` there, if the job requests it. */
const idTokenVariable = 'SIGSTORE_ID_TOKEN';

export interface SignatureSettings {
  readonly env: Environment;
  /** Makes the path of a file that a variable names absolute. */
  readonly path: (shown: string) => string;
}

/** The key of this process. */
export async function openSigningKey({ env, path }: SignatureSettings): Promise<Result<SigningKey>> {
  const shown = env[signingKeyVariable] ?? '';
  if (shown === '') return failed(noKey);
  const bytes = await readBytes(path(shown), shown);
  return bytes.ok ? readSigningKey(bytes.value.toString('utf8'), shown) : bytes;
}

const noKey = problem('missing-credentials', 'there is no key to sign the plan with', {
  hint: `set ${signingKeyVariable} to the file of an Ed25519 key, such as one of: ssh-keygen -t ed25519; a pipeline with an ID token needs none`,
});

/** Undefined: a key signs, or no pipeline offers an identity. Without `token`, GitHub issues one. */
export function pipelineIdentity(env: Environment): { readonly token?: string } | undefined {
  if (isSet(env, signingKeyVariable)) return undefined;
  const token = env[idTokenVariable] ?? '';
  if (token !== '') return { token };
  return isSet(env, 'ACTIONS_ID_TOKEN_REQUEST_URL') && isSet(env, 'ACTIONS_ID_TOKEN_REQUEST_TOKEN')
    ? {}
    : undefined;
}

/** Who may sign plans at all. */
export async function readSigners({ env, path }: SignatureSettings): Promise<Result<Signers>> {
  const [keys = '', root = ''] = [env[allowedSignersVariable], env[sigstoreRootVariable]];
  if (keys === '' && root === '') return failed(noSigners);
  const read = async (shown: string) => {
    const bytes = await readBytes(path(shown), shown);
    return bytes.ok ? ok(bytes.value.toString('utf8')) : bytes;
  };
  const text = keys === '' ? ok('') : await read(keys);
  const allowed = text.ok ? readAllowedSigners(text.value, keys) : text;
  if (!allowed.ok || root === '') return allowed.ok ? ok({ allowed: allowed.value }) : allowed;
  const rootText = await read(root);
  if (!rootText.ok) return rootText;
  const { readTrustedRoot } = await import('./sigstore-verify.ts');
  const identityOf = readTrustedRoot(rootText.value, root);
  return identityOf.ok ? ok({ allowed: allowed.value, identityOf: identityOf.value }) : identityOf;
}

type Signers = Pick<SignatureRules, 'allowed' | 'identityOf'>;

const noSigners = problem(
  'configuration',
  `a signature is required, and ${allowedSignersVariable} is not set`,
  {
    hint: `set it to a file with lines such as: alice@example.com ssh-ed25519 AAAA…; or set ${sigstoreRootVariable}`,
  },
);
