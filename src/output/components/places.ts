import { fileAndLine, type ShownPlace } from '../../core/problem/problem.ts';

/** Is it the digest of a folder's contents, and not a commit of Git? */
export function isFolder(commit: string): boolean {
  return commit.startsWith('sha256:');
}

/** The first characters of a commit or checksum. */
export function shortHash(hash: string): string {
  return hash.replace(/^sha256:/, '').slice(0, 8);
}

/** A text without the place at its end, such as `entry` of `entry at fleet.yaml:12`, for use next to that place. */
export function withoutPlace(text: string, place: ShownPlace | undefined): string {
  const end = place === undefined ? undefined : ` at ${fileAndLine(place)}`;
  return end !== undefined && text.endsWith(end) ? text.slice(0, -end.length) : text;
}
