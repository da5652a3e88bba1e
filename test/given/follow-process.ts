import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

export interface FollowedProcess {
  readonly child: ChildProcess;
  /** When the process writes this, and a rejection if it ends before. */
  says(words: string): Promise<void>;
  readonly ended: Promise<{
    /** Null: ended by a signal. */
    readonly code: number | null;
    readonly out: string;
    readonly err: string;
  }>;
}

/** Reads what a process with pipes writes. */
export function followProcess(child: ChildProcess): FollowedProcess {
  const texts = { out: '', err: '' };
  const listeners = new Set<() => void>();
  const read = (stream: 'out' | 'err') => (chunk: Buffer) => {
    texts[stream] += chunk.toString();
    for (const listener of listeners) listener();
  };
  child.stdout?.on('data', read('out'));
  child.stderr?.on('data', read('err'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...texts }));
  return {
    child,
    says: (words) =>
      new Promise((resolve, reject) => {
        const listener = () => {
          if (texts.out.includes(words) || texts.err.includes(words)) resolve();
        };
        listeners.add(listener);
        listener();
        void ended.then(() => reject(new Error(`it ended without "${words}":\n${texts.out}${texts.err}`)));
      }),
    ended,
  };
}
