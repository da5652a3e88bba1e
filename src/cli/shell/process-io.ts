import type { WriteStream } from 'node:tty';
import { systemClock } from '../../service/client/system-clock.ts';
import type { Io, Stream } from './io.ts';

/** The real process. */
export function processIo(): Io {
  return {
    stdout: toStream(process.stdout),
    stderr: toStream(process.stderr),
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
    prompt,
    onInterrupt(handler) {
      process.on('SIGINT', handler);
      process.on('SIGTERM', handler);
      return () => {
        process.off('SIGINT', handler);
        process.off('SIGTERM', handler);
      };
    },
    onCrash(handler) {
      process.on('uncaughtExceptionMonitor', handler);
      return () => process.off('uncaughtExceptionMonitor', handler);
    },
    exitNow: (code) => process.exit(code),
  };
}

/** A reader that has closed the pipe (`rampart hosts | head`) is not an error. */
function toStream(stream: WriteStream): Stream {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  return {
    write: (text) => {
      if (stream.writable) stream.write(text);
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : null;
    },
  };
}

async function prompt(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return null;
  const { createInterface } = await import('node:readline/promises');
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<null>((resolve) => reader.once('close', () => resolve(null)));
  try {
    return await Promise.race([reader.question(question), closed]);
  } finally {
    reader.close();
  }
}
