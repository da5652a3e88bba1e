import type { Clock, Environment } from '../../core/lib/surroundings.ts';

/** One of the two streams that a command writes to. */
export interface Stream {
  write(text: string): void;
  readonly isTerminal: boolean;
  /** Null if it is not a terminal. */
  readonly columns: number | null;
}

/** The same stream, with another way to write. */
export function writingWith(stream: Stream, write: (text: string) => void): Stream {
  return {
    write,
    isTerminal: stream.isTerminal,
    get columns() {
      return stream.columns;
    },
  };
}

/** All interactions of a command with the outside, so that a test can run one in-process. */
export interface Io {
  readonly env: Environment;
  readonly cwd: string;
  /** Data. */
  readonly stdout: Stream;
  /** Everything else. */
  readonly stderr: Stream;
  readonly clock: Clock;
  /** Asks at the terminal; null if there is none. */
  prompt(question: string): Promise<string | null>;
  /** Calls back on SIGINT and SIGTERM, until the returned function is called. */
  onInterrupt(handler: () => void): () => void;
  /** Calls back on an uncaught error, just before it ends the process, until the returned function is called. */
  onCrash(handler: (error: unknown) => void): () => void;
  /** Exits the process immediately, on a second signal. */
  exitNow(code: number): void;
}
