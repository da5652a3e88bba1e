import { closeSync, openSync, readFileSync, readSync, statSync } from 'node:fs';

/** The Terraform command that started this process. */
export interface TerraformCommand {
  /** No other command has it. */
  readonly id: string;
  /** Whether it applies the plan that it makes; true if that is not known, as outside Linux. */
  readonly appliesOwnPlan: boolean;
  /** Whether an apply on a machine like this one can find the file of a saved plan: under Linux. */
  readonly findsSavedPlans: boolean;
  /** The file of the saved plan that it applies; null if there is none, or if that is not known. */
  readonly savedPlan: string | null;
}

/** Null for `terraform test`, which plans several times. */
export function terraformCommand(pid: number): TerraformCommand | null {
  const [, ...words] = argumentsOf(pid);
  if (words.includes('test')) return null;
  const savedPlan = words.includes('apply') ? planFileIn(words.at(-1) as string) : null;
  return {
    id: `${pid} ${startOf(pid)}`,
    appliesOwnPlan: savedPlan === null && !words.includes('plan'),
    findsSavedPlans: words.length > 0,
    savedPlan,
  };
}

/** In ticks since the system started, because process ids are used again. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program, which may contain blanks, ends with the last bracket. The start is the 22nd field.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

function argumentsOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replace(/\0$/, '').split('\0');
  } catch {
    return [];
  }
}

/**
 * A saved plan is the last argument, and a ZIP archive. Terraform starts the provider in the folder that the path is
 * relative to. The last argument can also be a file of variables, which may be a pipe: opening it would wait for ever.
 */
function planFileIn(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return null;
    const file = openSync(path, 'r');
    const start = Buffer.alloc(2);
    readSync(file, start, 0, 2, 0);
    closeSync(file);
    return start.toString() === 'PK' ? path : null;
  } catch {
    return null;
  }
}
