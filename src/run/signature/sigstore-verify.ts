import { bundleFromJSON } from '@sigstore/bundle';
import { TrustedRoot } from '@sigstore/protobuf-specs';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import type { IdentityOf } from './check-signature.ts';

/**
 * Reads the keys of a Sigstore instance (trusted_root.json), and returns who signed with a certificate of it. Nothing is
 * fetched: a bundle has the certificate, its log entry and their time.
 */
export function readTrustedRoot(text: string, file: string): Result<IdentityOf> {
  let verifier: Verifier;
  try {
    const root = TrustedRoot.fromJSON(JSON.parse(text));
    if (root.certificateAuthorities.length === 0) throw new Error('an empty object is a root without keys');
    verifier = new Verifier(toTrustMaterial(root));
  } catch {
    return failed(
      problem('configuration', `${file} is not a trusted root of Sigstore`, {
        place: { file, line: 1, col: 1 },
        hint: 'use the file trusted_root.json of the Sigstore project, or of your own instance',
      }),
    );
  }
  return ok((statement, bundle) => {
    try {
      const entity = toSignedEntity(bundleFromJSON(bundle), Buffer.from(statement));
      const { subjectAlternativeName: name, extensions } = verifier.verify(entity).identity ?? {};
      return name === undefined || extensions?.issuer === undefined
        ? undefined
        : `${name} ${extensions.issuer}`;
    } catch {
      return undefined;
    }
  });
}
