import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { splitCommandLine } from './split-command-line.ts';

/** A process of this machine, as the system reports it. */
export interface CommandProcess {
  /** Its arguments, as far as they have no blanks; empty if they are not known. */
  readonly words: readonly string[];
  /** What its last argument can be, the most likely first. */
  readonly mayBeLast: readonly string[];
  /** When it started, because process ids are used again. */
  readonly start: string;
}

/** The parts of this machine that answer; those of this process if absent. */
export interface Machine {
  readonly platform?: NodeJS.Platform;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** How long a program of the system may take, in milliseconds; 10 seconds if absent. */
  readonly limitMs?: number;
}

const notKnown: CommandProcess = { words: [], mayBeLast: [], start: '' };

/** Nothing is known of a process that does not exist, or if the system does not answer in time. */
export function commandProcess(
  pid: number,
  { platform = process.platform, env = process.env, limitMs = 10_000 }: Machine = {},
): CommandProcess {
  try {
    switch (platform) {
      case 'linux':
        return inProc(pid);
      case 'win32':
        return ofCim(pid, env['SystemRoot'] ?? '', limitMs);
      default:
        return ofPs(pid, limitMs);
    }
  } catch {
    return notKnown;
  }
}

/** The start is in ticks since the system started. */
function inProc(pid: number): CommandProcess {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, ...words] = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
  // The name of the program, which may contain blanks, ends with the last bracket. The start is the 22nd field.
  const start = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { words, mayBeLast: words.slice(-1), start };
}

/** The time in English, and names of files as they are: every macOS has this locale. */
const locale = { LC_TIME: 'C', LC_CTYPE: 'en_US.UTF-8' };

/** `ps` separates the arguments by blanks, which the last one can contain too. */
function ofPs(pid: number, limitMs: number): CommandProcess {
  const args = ['-ww', '-o', 'lstart=', '-o', 'args=', '-p', String(pid)];
  const printed = printedBy('/bin/ps', args, locale, limitMs);
  const [, start = '', line = ''] = /^\s*(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*?)\s*$/.exec(printed) ?? [];
  const [, ...words] = line.split(' ');
  return { words, mayBeLast: words.map((_, index) => words.slice(index).join(' ')), start };
}

/**
 * Windows PowerShell is part of every Windows. It prints the start in ticks, and the command line as numbers of UTF-16
 * units, because its output has the code page of the console. Where PowerShell is restricted, it still runs this script.
 */
function ofCim(pid: number, systemRoot: string, limitMs: number): CommandProcess {
  if (!isAbsolute(systemRoot)) return notKnown;
  const powershell = join(systemRoot, 'System32', 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const script = [
    "$ErrorActionPreference = 'Stop'",
    `$found = Get-CimInstance -ClassName Win32_Process -Filter 'ProcessId = ${pid}' -Property CommandLine, CreationDate`,
    '$found.CreationDate.Ticks',
    '[int[]][char[]]$found.CommandLine',
  ].join('; ');
  const args = ['-NoLogo', '-NoProfile', '-NonInteractive', '-Command', script];
  // A PSModulePath of a newer PowerShell would hide the modules of this one.
  const printed = printedBy(powershell, args, { SystemRoot: systemRoot }, limitMs);
  const [start = '', ...units] = printed.match(/\d+/g) ?? [];
  const [, ...words] = splitCommandLine(String.fromCharCode(...units.map(Number)));
  return { words, mayBeLast: words.slice(-1), start };
}

/** The environment of this process can contain the key of the account, so the program gets only the given one. */
function printedBy(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  limitMs: number,
): string {
  return execFileSync(program, args, {
    encoding: 'utf8',
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: limitMs,
    killSignal: 'SIGKILL',
    windowsHide: true,
  });
}
