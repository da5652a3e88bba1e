import type { Place } from '../problem/problem.ts';
import type { Template } from './expression.ts';

/** What to do if the host of an entry or a rule is missing and another host has its key. */
export const successorWords = ['propose', 'adopt', 'ignore'] as const;
export type SuccessorWord = (typeof successorWords)[number];

/** How hosts are identified by a key, such as a serial number, in addition to their ids and names. */
export interface Identity {
  /** The key of a host. */
  readonly key: Template;
  readonly successor: SuccessorWord;
  /** Facts that are older, in milliseconds, identify no host. */
  readonly maxAgeMs: number;
  readonly place: Place;
}

const day = 86_400_000;

export const defaultFactAgeMs = 30 * day;
