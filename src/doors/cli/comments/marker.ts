/** The first line of each of our comments, which no reader sees. */
export interface Marker {
  /** Which of several comments it is: one for each account. */
  readonly key: string;
  /** Of the plan that the comment shows; absent if that can't be applied. */
  readonly checksum?: string;
}

/** What a key may be made of: nothing that could end an HTML comment. */
export const keyPattern = /^[A-Za-z0-9_.-]{1,64}$/;

// Only at the very start: a comment that quotes one of ours is not one of ours.
const pattern = /^<!-- rampart plan key=([A-Za-z0-9_.-]{1,64})(?: checksum=([0-9a-f]{64}))? -->(?:\r?\n|$)/;

export function printMarker({ key, checksum }: Marker): string {
  return `<!-- rampart plan key=${key}${checksum === undefined ? '' : ` checksum=${checksum}`} -->\n`;
}

export function readMarker(body: string): Marker | undefined {
  const [, key, checksum] = pattern.exec(body) ?? [];
  if (key === undefined) return undefined;
  return { key, ...(checksum === undefined ? {} : { checksum }) };
}
