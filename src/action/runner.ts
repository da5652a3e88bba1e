import type { Io } from '../cli/shell/io.ts';
import type { Annotation } from './annotations.ts';

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
