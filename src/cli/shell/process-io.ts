import { fstatSync, writeSync } from 'node:fs';
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

/** Why output was lost, by its stream. It ends no command: a run on a full disk would stop between two steps. */
export const lostOutput = new Map<NodeJS.WriteStream, Error>();

/** A reader that has closed the pipe (`rampart hosts | head`) is not an error. */
function toStream(stream: NodeJS.WriteStream & { readonly fd: number }): Stream {
  const fail = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lostOutput.set(stream, error);
  };
  stream.on('error', fail);
  const target = fstatSync(stream.fd);
  const isFile = !stream.isTTY && !target.isFIFO() && !target.isSocket();
  return {
    write: (text) => {
      if (!stream.writable) return;
      if (!isFile) return void stream.write(text);
      try {
        writeAll(stream.fd, text);
      } catch (error) {
        fail(error as Error);
      }
    },
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true ? stream.columns : null;
    },
  };
}

/**
 * The stream of a file or device ignores that only the first part of a text was taken, and reports a failure only after
 * the command may have ended.
 */
function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
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
