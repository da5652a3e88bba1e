import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** The Terraform command that started this process. */
export interface TerraformCommand {
  /** No other command has it. */
  readonly id: string;
  /** Whether it applies a saved plan; false if that is not known, as outside Linux. */
  appliesSavedPlan(): boolean;
}

/** Null for `terraform test`, which plans several times. */
export function terraformCommand(pid: number): TerraformCommand | null {
  if (argumentsOf(pid).slice(1).includes('test')) return null;
  return {
    id: `${pid} ${startOf(pid)}`,
    appliesSavedPlan() {
      const [, ...words] = argumentsOf(pid);
      const last = words.at(-1);
      return words.includes('apply') && last !== undefined && last !== 'apply' && isPlanFile(last);
    },
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

/** A saved plan is a zip archive. Terraform starts the provider in the folder that the path is relative to. */
function isPlanFile(path: string): boolean {
  try {
    const file = openSync(path, 'r');
    const start = Buffer.alloc(2);
    readSync(file, start, 0, 2, 0);
    closeSync(file);
    return start.toString() === 'PK';
  } catch {
    return false;
  }
}
