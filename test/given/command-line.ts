import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { run } from '../../src/cli/run.ts';
import type { Io } from '../../src/cli/shell/io.ts';
import type { Clock, Environment } from '../../src/core/lib/surroundings.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/service/emulator/emulator.ts';
import { type FleetParts, fleetState } from '../../src/service/emulator/fleet-state.ts';
import { serve } from '../../src/service/emulator/serve.ts';
import { newFolder, putFiles } from './folder.ts';

/** What came of one command line. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

type Text = string | RegExp;
type Printed = Text | { readonly out: Text | readonly Text[] };

declare module 'vitest' {
  interface Matchers<R extends void | Promise<void> = void | Promise<void>> {
    /** The command line ended with this code, and printed each of these on stderr, or on stdout. An empty text is all that was printed. */
    toExit(code: number, ...printed: readonly Printed[]): R;
  }
}

expect.extend({
  toExit(ran: Ran, code: number, ...printed: readonly Printed[]) {
    const missing = printed.flatMap((each) =>
      typeof each === 'string' || each instanceof RegExp
        ? missingIn(ran.err, [each])
        : missingIn(ran.out, [each.out].flat()),
    );
    return {
      pass: ran.code === code && missing.length === 0,
      message: () =>
        `expected exit code ${code}${missing.map((each) => `, and ${each}`).join('')}, but it was ${ran.code}\n\n${ran.out}\n${ran.err}`,
    };
  },
});

function missingIn(text: string, parts: readonly Text[]): readonly Text[] {
  return parts.filter((part) =>
    typeof part === 'string' ? !text.includes(part) || (part === '' && text !== '') : !part.test(text),
  );
}

export interface RunOptions {
  readonly env?: Environment;
  /** The typed answers at prompts; without them there is no terminal. */
  readonly answer?: string | (() => Promise<string>);
  readonly terminal?: boolean;
  readonly columns?: number;
  /** Where it runs; the folder of the workplace when absent. */
  readonly folder?: string;
}

/** A separate folder to run commands in, removed after the test. */
export interface Workplace {
  readonly folder: string;
  /** Time passes only while something sleeps on it. */
  readonly clock: Clock;
  write(name: string, text: string): Promise<void>;
  /** Runs a command line: a list of words, or a text if no word contains a space. */
  rampart(words: string | readonly string[], options?: RunOptions): Promise<Ran>;
  /** As if the user pressed Ctrl-C. */
  interrupt(): void;
  /** How often the process was told to end at once. */
  readonly exits: readonly number[];
}

type GivenFiles = Parameters<typeof putFiles>[1];

export const testPsk = `psk+${'Zx9/'.repeat(31)}`;

export async function workplace(files: GivenFiles = {}): Promise<Workplace> {
  const folder = newFolder();
  await putFiles(folder, files);
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const handlers = new Set<() => void>();
  const exits: number[] = [];
  return {
    folder,
    clock,
    exits,
    write: (name, text) => writeFile(join(folder, name), text),
    interrupt: () => {
      for (const handler of handlers) handler();
    },
    async rampart(words, { env = {}, answer, terminal = false, columns = 80, folder: cwd = folder } = {}) {
      const argv = typeof words === 'string' ? words.split(' ') : words;
      const out: string[] = [];
      const err: string[] = [];
      const stream = (kept: string[]) => ({
        write: (text: string) => void kept.push(text),
        isTerminal: terminal,
        columns: terminal ? columns : null,
      });
      const io: Io = {
        stdout: stream(out),
        stderr: stream(err),
        env,
        cwd,
        clock,
        prompt: async (question) => {
          err.push(question);
          return typeof answer === 'function' ? answer() : (answer ?? null);
        },
        onInterrupt(handler) {
          handlers.add(handler);
          return () => handlers.delete(handler);
        },
        onCrash: () => () => {},
        exitNow: (code) => void exits.push(code),
      };
      const code = await run(argv, io);
      const ran = { code, out: out.join(''), err: err.join('') };
      // Whatever a command does, an error on stderr and exit code 0 contradict each other.
      if (code === 0 && /^error(?:\[|:)/m.test(ran.err))
        throw new Error(`rampart ${argv.join(' ')} ended with 0 after an error: ${ran.err}`);
      return ran;
    },
  };
}

type ServiceOptions = Omit<Partial<EmulatorOptions>, 'state'>;

/** An emulated service on a socket, and the environment that reaches it. */
export interface GivenService {
  readonly emulator: Emulator;
  readonly env: Readonly<Record<string, string>>;
}

export async function givenService(fleet: FleetParts, options: ServiceOptions = {}): Promise<GivenService> {
  const emulator = createEmulator({
    state: fleetState({ psk: testPsk, ...fleet }),
    clock: createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true }),
    ...options,
  });
  const served = await serve(emulator);
  onTestFinished(() => served.close());
  return {
    emulator,
    env: {
      RAMPART_BASE_URL: served.url,
      RAMPART_COMPANY_ID: emulator.credentials.companyId,
      RAMPART_PSK: testPsk,
    },
  };
}

/** A workplace with these files, whose commands reach an emulated service. The environment of a command overrides that of the service. */
export async function connected(
  fleet: FleetParts,
  options: ServiceOptions | ((place: Workplace) => ServiceOptions) = {},
  files: GivenFiles = {},
): Promise<Workplace & GivenService> {
  const place = await workplace(files);
  const service = await givenService(fleet, typeof options === 'function' ? options(place) : options);
  const rampart: Workplace['rampart'] = (words, run = {}) =>
    place.rampart(words, { ...run, env: { ...service.env, ...run.env } });
  return { ...place, ...service, rampart };
}
