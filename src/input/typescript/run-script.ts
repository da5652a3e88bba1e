import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type Project, projectOf, readOpen } from '../sources/project.ts';
import { relativeToFile } from '../sources/relative-to-file.ts';
import { placesOf, type ScriptFile, type ScriptOutput } from '../sources/script-output.ts';
import { decodeFleet } from './decode-fleet.ts';
import { createModuleFinder, type ModuleFinder, moduleName, modulePath } from './find-module.ts';
import { readMessage } from './read-message.ts';
import {
  type SandboxFailure,
  type ScriptMessage,
  type ScriptStart,
  tookTooLong,
  wrapperStart,
} from './sandbox/protocol.ts';
import { scriptPlaces } from './script-place.ts';
import { type End, runApart, scriptChild } from './script-process.ts';

export interface RunScriptOptions {
  readonly cwd: string;
  /** 30 seconds if absent. */
  readonly timeLimitMs?: number;
  /** Receives what the script prints. */
  readonly onOutput?: (text: string) => void;
}

const defaultTimeLimitMs = 30_000;
/** For the start of the process, and for a script that does not react to its time limit. */
const graceMs = 5_000;
const maxPrinted = 64 * 1024;
/** The largest file, in bytes, from which a line is shown. */
const mostShown = 1024 * 1024;

/**
 * Runs a script in QuickJS, in a separate process. The script reaches nothing but the files of its project, which this
 * process reads for it. docs/explanation/security.md describes both walls.
 */
export async function runScript(
  file: string,
  text: string,
  { cwd, timeLimitMs = defaultTimeLimitMs, onOutput }: RunScriptOptions,
): Promise<Result<ScriptOutput>> {
  const given = resolve(cwd, file);
  const path = realpathSync(given);
  const project = realpathSync(projectOf(dirname(given), cwd));
  const finder = createModuleFinder(project, { path, text });
  const start: ScriptStart = { script: moduleName(project, path), timeLimitMs, mark: `${randomUUID()}:` };
  let printed = '';
  let last: ScriptMessage | undefined;
  const end = await runApart([...scriptChild, JSON.stringify(start)], {
    timeLimitMs: timeLimitMs + graceMs,
    onLine: (line) => {
      last = readMessage(line);
      if (last?.kind === 'print') printed = `${printed}${last.text}`.slice(0, maxPrinted);
      return last?.kind === 'find' ? JSON.stringify(finder.find(last.request)) : undefined;
    },
  });
  if (printed.trim() !== '') onOutput?.(printed);
  const known: Known = { script: start.script, file, text, cwd: realpathSync(cwd), project, finder };
  const value = last?.kind === 'value' ? decodeFleet(last.value, start.mark) : undefined;
  if (end.kind === 'ended' && value !== undefined) {
    const files = new Map([...placesOf(value)].map((place) => [place, fileOf(place, known)]));
    return ok({ text, value, files });
  }
  const { message, hint, at } =
    end.kind === 'ended' && last?.kind === 'failed' ? last : explainEnd(end, timeLimitMs);
  const place =
    at === undefined
      ? scriptPlaces({ name: file, text })()
      : scriptPlaces(fileOf(at.file, known))(at.line, at.col);
  return failed(problem('script-failed', message, { place, ...(hint === undefined ? {} : { hint }) }));
}

function explainEnd(end: End, timeLimitMs: number): SandboxFailure {
  switch (end.kind) {
    case 'late':
      return tookTooLong(timeLimitMs);
    case 'too-large':
      return { message: 'the fleet that the script exports is larger than 256 MiB' };
    case 'not-started':
      return { message: `Node can't be started: ${end.why}` };
    case 'ended':
      return {
        message: `the script's process ended too early: ${end.signal ?? `exit code ${end.code}`}`,
        hint: 'the machine may have run out of memory: check the script for a list that grows without end',
      };
  }
}

interface Known {
  readonly script: string;
  readonly file: string;
  readonly text: string;
  /** Paths without links, like that of the project. */
  readonly cwd: string;
  readonly project: Project;
  readonly finder: ModuleFinder;
}

/**
 * A file in a place, with the name that the user knows, and with its text if it is in the project. The script controls
 * the content of a place.
 */
function fileOf(place: string, { script, file, text, cwd, project, finder }: Known): ScriptFile {
  const shift = finder.isCommonJs(place) ? wrapperStart.length : 0;
  if (place === script) return { name: file, text, shift };
  if (!place.startsWith('file:')) return { name: relativeToFile(place, file) };
  const path = pathIn(project, place);
  if (path === undefined) return { name: place };
  const fromHere = relative(cwd, path);
  const name = fromHere.startsWith('..') ? path : fromHere;
  const read = readOpen(project, path, name);
  if (!read.ok || read.value.bytes.length > mostShown) return { name };
  return { name, text: Buffer.from(read.value.bytes).toString(), shift };
}

function pathIn(project: Project, name: string): string | undefined {
  try {
    return modulePath(project, name);
  } catch {
    return undefined;
  }
}
