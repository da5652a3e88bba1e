/** The invisible first line of each of our comments. */
export interface Marker {
  /** Distinguishes several comments: one for each account. */
  readonly key: string;
  /** The checksum of the plan in the comment; absent if that plan can't be applied. */
  readonly checksum?: string;
}

/** The characters of a key: none that could end an HTML comment. */
export const keyPattern = /^[A-Za-z0-9_.-]{1,64}$/;

// Only at the very start: a comment that quotes one of ours does not match.
const pattern = /^<!-- rampart plan key=([A-Za-z0-9_.-]{1,64})(?: checksum=([0-9a-f]{64}))? -->(?:\r?\n|$)/;

export function printMarker({ key, checksum }: Marker): string {
  return `<!-- rampart plan key=${key}${checksum === undefined ? '' : ` checksum=${checksum}`} -->\n`;
}

export function readMarker(body: string): Marker | undefined {
  const [, key, checksum] = pattern.exec(body) ?? [];
  if (key === undefined) return undefined;
  return { key, ...(checksum === undefined ? {} : { checksum }) };
}
