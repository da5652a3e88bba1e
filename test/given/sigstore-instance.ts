import { createHash, generateKeyPairSync } from 'node:crypto';
import { initializeCA, initializeCTLog, initializeTLog, mockFulcio, mockRekor } from '@sigstore/mock';
import { HashAlgorithm, PublicKeyDetails, TrustedRoot } from '@sigstore/protobuf-specs';
// The instance receives the requests of the whole process, so files with an instance share no process.
import '../tiers/uses-a-system.ts';

export const githubIssuer = 'https://token.actions.githubusercontent.com';
const hour = 3_600_000;

const segment = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The ID token of a pipeline. */
export function idToken(sub: string, iss = githubIssuer): string {
  return `${segment({ alg: 'none' })}.${segment({ iss, sub, aud: 'sigstore' })}.c2ln`;
}

/** An instance of Sigstore that certifies and logs the next signature of this process. Returns its trusted root, as JSON. */
export async function sigstoreInstance(): Promise<string> {
  const [fulcio, rekor] = [1, 2].map(() => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }));
  if (fulcio === undefined || rekor === undefined) throw new Error('no keys');
  const rekorUrl = 'https://rekor.sigstore.dev';
  const ctlog = await initializeCTLog(fulcio);
  const ca = await initializeCA(fulcio, ctlog);
  const tlog = await initializeTLog(rekorUrl, rekor);
  await mockFulcio({ keyPair: fulcio });
  await mockRekor({ keyPair: rekor });
  const validFor = { start: new Date(Date.now() - hour), end: undefined };
  const log = (baseUrl: string, rawBytes: Buffer) => ({
    baseUrl,
    logId: { keyId: createHash('sha256').update(rawBytes).digest() },
    checkpointKeyId: undefined,
    hashAlgorithm: HashAlgorithm.SHA2_256,
    publicKey: { rawBytes, keyDetails: PublicKeyDetails.PKIX_ECDSA_P256_SHA_256, validFor },
    operator: 'test',
  });
  const { buffer, byteOffset, byteLength } = ca.rootCertificate;
  const root = TrustedRoot.toJSON({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    certificateAuthorities: [
      {
        subject: { commonName: 'sigstore', organization: 'test' },
        uri: 'https://fulcio.sigstore.dev',
        certChain: { certificates: [{ rawBytes: Buffer.from(buffer, byteOffset, byteLength) }] },
        validFor,
        operator: 'test',
      },
    ],
    ctlogs: [log('https://ctfe.sigstore.dev', ctlog.publicKey)],
    tlogs: [log(rekorUrl, tlog.publicKey)],
    timestampAuthorities: [],
  });
  return JSON.stringify(root);
}
