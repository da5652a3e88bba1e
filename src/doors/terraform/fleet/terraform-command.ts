import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** The Terraform command that started this process. */
export interface TerraformCommand {
  /** No other command has it. */
  readonly id: string;
  /** Whether it applies the plan that it makes; true if that is not known, as on Windows. */
  readonly appliesOwnPlan: boolean;
  /** Whether an apply on a machine like this one can find the file of a saved plan: not on Windows. */
  readonly findsSavedPlans: boolean;
  /** The file of the saved plan that it applies; null if there is none, or if that is not known. */
  readonly savedPlan: string | null;
}

/** Null for `terraform test`, which plans several times. */
export function terraformCommand(
  pid: number,
  platform: NodeJS.Platform = process.platform,
): TerraformCommand | null {
  const { words, mayBeLast, start } = processOf(pid, platform);
  if (words.includes('test')) return null;
  const savedPlan = words.includes('apply') ? (mayBeLast.find(isPlanFile) ?? null) : null;
  return {
    id: `${pid} ${start}`,
    appliesOwnPlan: savedPlan === null && !words.includes('plan'),
    findsSavedPlans: words.length > 0,
    savedPlan,
  };
}

interface CommandProcess {
  /** Its arguments, as far as they have no blanks; empty if they are not known. */
  readonly words: readonly string[];
  /** What its last argument can be, the most likely first. */
  readonly mayBeLast: readonly string[];
  /** When it started, because process ids are used again. */
  readonly start: string;
}

const notKnown: CommandProcess = { words: [], mayBeLast: [], start: '' };

function processOf(pid: number, platform: NodeJS.Platform): CommandProcess {
  try {
    if (platform === 'win32') return notKnown;
    return platform === 'linux' ? inProc(pid) : ofPs(pid);
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

/** `ps` separates the arguments by blanks, which the last one can contain too. */
function ofPs(pid: number): CommandProcess {
  const printed = execFileSync('/bin/ps', ['-ww', '-o', 'lstart=', '-o', 'args=', '-p', String(pid)], {
    encoding: 'utf8',
    // Nothing else: the environment of this process can contain the key of the account.
    env: { LC_ALL: 'C' },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: 2000,
  });
  const [, start = '', args = ''] = /^\s*(\w+ +\w+ +\d+ +[\d:]+ +\d+) +(.*?)\s*$/.exec(printed) ?? [];
  const [, ...words] = args.split(' ');
  return { words, mayBeLast: words.map((_, index) => words.slice(index).join(' ')), start };
}

/**
 * A saved plan is the last argument, and a ZIP archive. Terraform starts the provider in the folder that the path is
 * relative to. The last argument can also be a file of variables, which may be a pipe: opening it would wait for ever.
 */
function isPlanFile(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    const start = Buffer.alloc(2);
    readSync(file, start, 0, 2, 0);
    closeSync(file);
    return start.toString() === 'PK';
  } catch {
    return false;
  }
}
