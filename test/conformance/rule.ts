import type { Edit } from '../../src/service/emulator/edit.ts';
import type { Switches } from '../../src/service/emulator/switches.ts';
import type { Send } from '../service/emulator/calls.ts';

/** What a rule of the spec is tried on: the emulator with the fixture in it, in-process or behind a socket. */
export interface Subject {
  /** With valid credentials, unless the call says otherwise. */
  readonly send: Send;
  readonly companyId: string;
  readonly psk: string;
  readonly session: { readonly loginSessionId: string; readonly profileId: string };
  /** Lets the service's time pass. */
  advance(ms: number): Promise<void>;
  /** What happens to the fleet without this interface. */
  edit(change: Edit): void;
}

export interface Rule {
  /** Begins with the section of the spec. */
  readonly title: string;
  readonly switches: Partial<Switches>;
  readonly check: (subject: Subject) => Promise<void>;
}

export function rule(
  section: string,
  sentence: string,
  check: Rule['check'],
  switches: Rule['switches'] = {},
): Rule {
  return { title: `${section}: ${sentence}`, switches, check };
}

/** A rule that holds for any account and only reads, so it can be tried on a real service. */
export interface ReadingRule {
  readonly title: string;
  readonly check: (send: Send) => Promise<void>;
}

export function readingRule(section: string, sentence: string, check: ReadingRule['check']): ReadingRule {
  return { title: `${section}: ${sentence}`, check };
}
