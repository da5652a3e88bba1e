import { defined } from '../core/lib/defined.ts';
import { type Problem, problem } from '../core/problem/problem.ts';

/** The invisible first line of each of our comments. */
export interface Marker {
  /** Distinguishes several comments: one for each account. */
  readonly key: string;
  /** The checksum of the plan in the comment; absent if that plan can't be applied. */
  readonly checksum?: string;
  /** Of the comments that continue the first one: 2, 3 and so on. */
  readonly part?: number;
  /** The digest of the changes of several accounts. */
  readonly changes?: string;
  /** The head commit of the pull request that the plan was made for. */
  readonly head?: string;
}

/** The characters of a key: none that could end an HTML comment. */
export const keyPattern = /^[A-Za-z0-9_.-]{1,64}$/;

export function badKey(flag: string): Problem {
  return problem('usage', 'a key must be 1 to 64 letters, digits, dots, dashes and underscores', {
    hint: `${flag} berlin`,
  });
}

// Only at the very start: a comment that quotes one of ours does not match.
const pattern =
  /^<!-- rampart plan key=([A-Za-z0-9_.-]{1,64})(?: part=([2-9]))?(?: checksum=([0-9a-f]{64}))?(?: changes=([0-9a-f]{64}))?(?: head=([0-9a-f]{40,64}))? -->(?:\r?\n|$)/;

export function printMarker({ key, part, checksum, changes, head }: Marker): string {
  const facts = [
    ...(part === undefined ? [] : [` part=${part}`]),
    ...(checksum === undefined ? [] : [` checksum=${checksum}`]),
    ...(changes === undefined ? [] : [` changes=${changes}`]),
    ...(head === undefined ? [] : [` head=${head}`]),
  ];
  return `<!-- rampart plan key=${key}${facts.join('')} -->\n`;
}

export function readMarker(body: string): Marker | undefined {
  const [, key, part, checksum, changes, head] = pattern.exec(body) ?? [];
  if (key === undefined) return undefined;
  return {
    key,
    ...(part === undefined ? {} : { part: Number(part) }),
    ...defined({ checksum, changes, head }),
  };
}
