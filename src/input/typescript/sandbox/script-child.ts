import { readSync, writeSync } from 'node:fs';
import type { ModuleAnswer, ScriptMessage, ScriptStart } from './protocol.ts';
import { runInQuickJs } from './run-in-quickjs.ts';

/**
 * The main module of a script's process. It communicates with Rampart on file descriptor 3, in lines of JSON: it
 * requests files, passes on what the script prints, and reports the result.
 */
const channel = 3;
const lineEnd = 10;
const maxPrinted = 64 * 1024;

// The result must not depend on the time zone of the machine.
process.env['TZ'] = 'UTC';

const start = JSON.parse(process.argv[2] as string) as ScriptStart;
let printed = 0;

const result = await runInQuickJs(start, {
  find: (request) => {
    send(message({ kind: 'find', request }));
    return JSON.parse(readLine()) as ModuleAnswer;
  },
  print: (text) => {
    if (printed < maxPrinted) send(message({ kind: 'print', text: text.slice(0, maxPrinted) }));
    printed += text.length;
  },
});
send(
  'fleet' in result
    ? `{"kind":"value","value":${result.fleet}}`
    : message({ kind: 'failed', ...result.failure }),
);

function message(content: ScriptMessage): string {
  return JSON.stringify(content);
}

function send(line: string): void {
  const bytes = Buffer.from(`${line}\n`);
  for (let at = 0; at < bytes.length; ) at += writeSync(channel, bytes, at);
}

/** Rampart sends one line for each request. */
function readLine(): string {
  const chunks: Uint8Array[] = [];
  for (;;) {
    const chunk = Buffer.allocUnsafe(256 * 1024);
    const size = readSync(channel, chunk);
    if (size === 0) throw new Error('Rampart has ended');
    chunks.push(chunk.subarray(0, size));
    if (chunk[size - 1] === lineEnd) return Buffer.concat(chunks).toString();
  }
}
