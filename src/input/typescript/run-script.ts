import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readdirSync, realpathSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { isOpenToFiles, type Project, projectOf, readInProject } from '../sources/project.ts';
import { relativeToFile } from '../sources/relative-to-file.ts';
import { placesOf, type ScriptFile, type ScriptOutput, type ScriptReport } from '../sources/script-output.ts';
import { readReport } from './read-report.ts';
import { scriptPlace } from './script-place.ts';
import { readableOf } from './script-reach.ts';

export interface RunScriptOptions {
  readonly cwd: string;
  /** The script sees only the variables that `passedOn` lists. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** 30 seconds if absent. */
  readonly timeLimitMs?: number;
  /** Receives what the script prints on either stream. */
  readonly onOutput?: (text: string) => void;
}

const defaultTimeLimitMs = 30_000;
/** In megabytes. A million hosts fit. */
const memoryFlag = '--max-old-space-size=2048';
/** Text that Node itself prints if memory runs out or a promise never settles. */
const crashDump = /\n?<--- Last few GCs|Warning: Detected unsettled top-level await/;
const maxReportBytes = 256 * 1024 * 1024;
const maxPrinted = 64 * 1024;
/** The largest file, in bytes, of which a line is shown. */
const mostShown = 1024 * 1024;

/** The environment variables that a script sees. They include none of Rampart's and no credentials. */
const passedOn: readonly string[] = [
  'PATH',
  'HOME',
  'LANG',
  'LANGUAGE',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'USERPROFILE',
];

/** The scripts of this folder have the same ending as this file: `.ts` in a checkout, `.js` when built. */
const ending = import.meta.url.slice(import.meta.url.lastIndexOf('.'));
const child = fileURLToPath(new URL(`./script-child${ending}`, import.meta.url));

/**
 * Runs a script in its own process, with the same Node. That process gets few environment variables, reads only files
 * of its project, writes none, starts no processes, has no network, and has a time limit. docs/explanation/security.md
 * says how this is enforced.
 */
export async function runScript(
  file: string,
  text: string,
  options: RunScriptOptions,
): Promise<Result<ScriptOutput>> {
  const given = resolve(options.cwd, file);
  const path = realpathSync(given);
  const project = realpathSync(projectOf(dirname(given), options.cwd));
  const readable = readableOf(project);
  if (!readable.ok) {
    return failed(
      ...readable.problems.map((each) => ({ ...each, place: scriptPlace({ name: file, text }) })),
    );
  }
  const ran = await inChild(path, readable.value, options);
  const printed = ran.printed.split(crashDump)[0] ?? '';
  if (printed.trim() !== '') options.onOutput?.(printed);
  const known: Known = {
    script: pathToFileURL(path).href,
    file,
    text,
    cwd: realpathSync(options.cwd),
    project,
  };
  const name = (place: string) => fileOf(place, known);
  const report = readReport(ran.report);
  if (report?.kind === 'value') {
    const files = new Map([...placesOf(report.value)].map((place) => [place, name(place)]));
    return ok({ text, value: report.value, files });
  }
  const { message, hint, at } = report ?? explainEnd(ran.end, options);
  const place =
    at === undefined ? scriptPlace({ name: file, text }) : scriptPlace(name(at.file), at.line, at.col);
  return failed(problem('script-failed', message, { place, ...(hint === undefined ? {} : { hint }) }));
}

type End =
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  | { readonly kind: 'late' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'not-started'; readonly why: string };

interface Ran {
  readonly end: End;
  readonly report: string;
  readonly printed: string;
}

function inChild(
  path: string,
  readable: readonly string[],
  { cwd, env, timeLimitMs = defaultTimeLimitMs }: RunScriptOptions,
): Promise<Ran> {
  const own = join(dirname(child), '*');
  const read = [...(path.includes('*') ? [] : [path]), own, ...readable].map(
    (each) => `--allow-fs-read=${each}`,
  );
  const flags = ['--permission', ...read, '--disable-warning=ExperimentalWarning', memoryFlag];
  const allowDebugger = refuseDebugger();
  const nothing = openSync(devNull, 'r');
  const running: ChildProcess = spawn(process.execPath, [...flags, child, path], {
    cwd,
    env: Object.fromEntries(passedOn.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe', ...covered(nothing)],
  });
  closeSync(nothing);
  const [, stdout, stderr, channel] = running.stdio as unknown as [null, Readable, Readable, Readable];
  const printed = keep([stdout, stderr], maxPrinted);
  return new Promise((done) => {
    let stopped: End | undefined;
    const stop = (end: End) => {
      stopped ??= end;
      running.kill('SIGKILL');
    };
    const report = keep([channel], maxReportBytes, () => stop({ kind: 'too-large' }));
    const timer = setTimeout(() => stop({ kind: 'late' }), timeLimitMs);
    const finish = (end: End) => {
      clearTimeout(timer);
      allowDebugger();
      done({ end: stopped ?? end, report: stopped === undefined ? report() : '', printed: printed() });
    };
    running.on('error', (error) => finish({ kind: 'not-started', why: error.message }));
    running.on('close', (code, signal) => finish({ kind: 'ended', code, signal }));
  });
}

/**
 * The parent process may have passed open files to Rampart, such as the pipe of `RAMPART_PSK_FILE=<(…)`. The child gets
 * `nothing` in their place.
 */
function covered(nothing: number): readonly number[] {
  try {
    const highest = Math.max(...readdirSync('/dev/fd').map(Number));
    return Array.from({ length: Math.max(0, highest - 3) }, () => nothing);
  } catch {
    return [];
  }
}

/** This signal opens a debugger in a Node process, to which any process on this machine could then connect. */
function refuseDebugger(): () => void {
  const ignore = () => {};
  process.on('SIGUSR1', ignore);
  return () => process.off('SIGUSR1', ignore);
}

/** Keeps the beginning of the output and reads the rest, so that the writer never waits. */
function keep(streams: readonly Readable[], most: number, onMore?: () => void): () => string {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (const stream of streams) {
    stream.on('data', (chunk: Uint8Array) => {
      const room = most - size;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      if (chunk.length > room) onMore?.();
      size += chunk.length;
    });
  }
  return () => Buffer.concat(chunks).toString();
}

type Explained = Omit<Extract<ScriptReport, { kind: 'failed' }>, 'kind'>;

function explainEnd(end: End, { timeLimitMs = defaultTimeLimitMs }: RunScriptOptions): Explained {
  switch (end.kind) {
    case 'late':
      return {
        message: `the script did not end and was stopped after ${timeLimitMs / 1000} s`,
        hint: 'check it for an endless loop or a call without an answer',
      };
    case 'too-large':
      return {
        message: `the fleet that the script exports is larger than ${maxReportBytes / 1024 / 1024} MiB`,
      };
    case 'not-started':
      return { message: `Node can't be started: ${end.why}` };
    case 'ended':
      if (end.code === 13) {
        return {
          message: 'the script waits for a promise that never settles',
          hint: 'check each "await": its promise must resolve',
        };
      }
      if (end.code === 0) {
        return {
          message: 'the script wrote to the file descriptor that returns its fleet',
          hint: 'do not write to file descriptor 3',
        };
      }
      if (end.signal === 'SIGABRT' || end.code === 134) {
        return { message: 'the script crashed: it may have run out of memory' };
      }
      return { message: `the script's process ended too early: ${end.signal ?? `exit code ${end.code}`}` };
  }
}

interface Known {
  readonly script: string;
  readonly file: string;
  readonly text: string;
  /** Paths without links, like that of the project. */
  readonly cwd: string;
  readonly project: Project;
}

/**
 * A file that a place names, with the name that the user knows, and with its text if a stack named it. The script
 * controls what a stack contains, so only files of its project are opened.
 */
function fileOf(place: string, { script, file, text, cwd, project }: Known): ScriptFile {
  if (place === script) return { name: file, text };
  if (!place.startsWith('file:')) return { name: relativeToFile(place, file) };
  const path = pathOf(place);
  if (path === undefined) return { name: place };
  const fromHere = relative(cwd, path);
  const name = fromHere.startsWith('..') ? path : fromHere;
  if (!isOpenToFiles(project, path)) return { name };
  const read = readInProject(project, path, name);
  if (!read.ok || read.value.bytes.length > mostShown) return { name };
  return { name, text: Buffer.from(read.value.bytes).toString() };
}

function pathOf(url: string): string | undefined {
  try {
    return fileURLToPath(url);
  } catch {
    return undefined;
  }
}
