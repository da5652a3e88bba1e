import type { JsonRecord } from './json-record.ts';

const hostKeys = ['description', 'groupid', 'id', 'isHostOnline', 'hostName', 'hostStateChangeDate'] as const;
const needed = hostKeys.slice(0, 4);

/** A member that we read, or any other. */
export type ShapeKey = (typeof hostKeys)[number] | 'other';

/** How hosts are written that are written alike: only their values differ. */
export interface HostShape {
  readonly keys: readonly ShapeKey[];
  /** The bytes before each of the values and behind the last. */
  readonly between: readonly Uint8Array[];
}

/** Undefined where the host lacks what it needs. */
export function shapeOf({ values, between }: JsonRecord): HostShape | undefined {
  if (!needed.every((key) => values.has(key))) return undefined;
  return {
    keys: [...values.keys()].map((key) => hostKeys.find((each) => each === key) ?? 'other'),
    between: between.map((text) => Buffer.from(text, 'latin1')),
  };
}
