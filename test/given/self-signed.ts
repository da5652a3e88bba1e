import { selfSigned as certify } from '../../src/terraform/protocol/plugin/certificate.ts';

/** A certificate for names, 127.0.0.1 and 0.0.0.0 that vouches for itself, and its key, both in PEM. */
export function selfSigned(hosts: readonly [string, ...string[]] = ['service.test']): {
  readonly cert: string;
  readonly key: string;
} {
  const { certificate: cert, key } = certify({
    hosts,
    addresses: [
      [127, 0, 0, 1],
      [0, 0, 0, 0],
    ],
  });
  return { cert, key };
}
