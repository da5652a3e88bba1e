import type { Redaction } from '../accounts/engine/redaction.ts';
import type { Io } from '../cli/shell/io.ts';
import type { Annotation } from './annotations.ts';
import type { Event } from './event.ts';
import type { Inputs } from './inputs.ts';

/** The context of one workflow step. */
export interface Job {
  readonly runner: Runner;
  readonly inputs: Inputs;
  readonly event: Event;
  /** The working directory of commands, as an absolute path. */
  readonly folder: string;
  readonly redaction: Redaction;
}

/** The environment of a workflow step. All output passes through here. */
export interface Runner {
  /** Both streams go to the log of the step. */
  readonly io: Io;
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  /** Makes the runner hide a secret in the log of this step and of all later steps. */
  mask(secret: string): void;
  summary(markdown: string): Promise<void>;
}
