import type { Redaction } from '../cli/shell/redaction.ts';
import type { Event } from './event.ts';
import type { Inputs } from './inputs.ts';
import type { Runner } from './runner.ts';

/** All that one step of a workflow is about. */
export interface Job {
  readonly runner: Runner;
  readonly inputs: Inputs;
  readonly event: Event;
  /** Where commands run: the working directory, as an absolute path. */
  readonly folder: string;
  readonly redaction: Redaction;
}
