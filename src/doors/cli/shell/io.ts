import type { Clock } from '../../../core/lib/clock.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** One of the two streams that a command writes to. */
export interface Stream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Null if it is no terminal. */
  readonly columns: number | null;
}

/** All that a command sees of the world, so that a test can run one in-process. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Data. */
  readonly stdout: Stream;
  /** Everything else. */
  readonly stderr: Stream;
  readonly clock: Clock;
  /** Asks on the terminal; null if there is none to ask. */
  prompt(question: string): Promise<string | null>;
  /** Calls back on SIGINT and SIGTERM, until the returned function is called. */
  onInterrupt(handler: () => void): () => void;
  /** Calls back on an error that nobody caught, just before it ends the process, until the returned function is called. */
  onCrash(handler: (error: unknown) => void): () => void;
  /** Ends the process at once, on a second signal. */
  exitNow(code: number): void;
}
