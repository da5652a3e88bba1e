import { bundleToJSON } from '@sigstore/bundle';
import {
  CIContextProvider,
  DEFAULT_REKOR_URL,
  FulcioSigner,
  InternalError,
  MessageSignatureBundleBuilder,
  RekorWitness,
} from '@sigstore/sign';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** How often a request is repeated, and how long one may take, in milliseconds. */
const service = { retry: 2, timeout: 10_000 };

/**
 * A bundle with the signature of a text, for the identity of a pipeline: Fulcio certifies a key that exists only here,
 * and Rekor logs that it signed. `token` is an ID token with the audience `sigstore`; without it, GitHub issues one.
 */
export async function signKeyless(text: string, token: string | undefined): Promise<Result<unknown>> {
  const identityProvider =
    token === undefined ? new CIContextProvider('sigstore') : { getToken: async () => token };
  const builder = new MessageSignatureBundleBuilder({
    signer: new FulcioSigner({ ...service, identityProvider }),
    witnesses: [new RekorWitness({ ...service, rekorBaseURL: DEFAULT_REKOR_URL })],
  });
  try {
    return ok(bundleToJSON(await builder.create({ data: Buffer.from(text) })));
  } catch (error) {
    // A message of the library can contain the token.
    const why = error instanceof InternalError ? error.code : 'UNEXPECTED';
    return failed(
      problem('network', `Sigstore did not sign the plan (${why})`, {
        hint: 'check that the job may have an ID token, and that it reaches fulcio.sigstore.dev and rekor.sigstore.dev',
      }),
    );
  }
}
