import type { SourcePlace } from '../../api/resource.ts';

/** `policies/kiosks.yaml:12`. */
export function placeText({ file, line }: SourcePlace): string {
  return line === undefined ? file : `${file}:${line}`;
}

/** The first characters of a commit or checksum. */
export function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 8);
}
