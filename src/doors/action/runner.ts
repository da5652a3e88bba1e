import type { Io } from '../cli/shell/io.ts';
import type { Annotation } from './annotations.ts';

/** What a step of a workflow has of the world. Everything that it shows passes through here. */
export interface Runner {
  /** Both streams are the log of the step. */
  readonly io: Io;
  annotate(annotation: Annotation): void;
  output(name: string, value: string): void;
  summary(markdown: string): Promise<void>;
}
