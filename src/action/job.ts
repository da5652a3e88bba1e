import type { Redaction } from '../accounts/engine/redaction.ts';
import type { Event } from './event.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** The context of one workflow step. */
export interface Job {
  readonly runner: Runner;
  readonly inputs: Inputs;
  readonly event: Event;
  /** The working directory of commands, as an absolute path. */
  readonly folder: string;
  readonly redaction: Redaction;
}
