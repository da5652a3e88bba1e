import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { commandProcess, type Machine } from './command-process.ts';

/** The Terraform command that started this process. */
export interface TerraformCommand {
  /** No other command has it. */
  readonly id: string;
  /** Whether it applies the plan that it makes; true if that is not known. */
  readonly appliesOwnPlan: boolean;
  /** Whether an apply on a machine like this one can find the file of a saved plan. */
  readonly findsSavedPlans: boolean;
  /** The file of the saved plan that it applies; null if there is none, or if that is not known. */
  readonly savedPlan: string | null;
}

/** Null for `terraform test`, which plans several times. */
export function terraformCommand(pid: number, machine?: Machine): TerraformCommand | null {
  const { words, mayBeLast, start } = commandProcess(pid, machine);
  if (words.includes('test')) return null;
  const savedPlan = words.includes('apply') ? (mayBeLast.find(isPlanFile) ?? null) : null;
  return {
    id: `${pid} ${start}`,
    appliesOwnPlan: savedPlan === null && !words.includes('plan'),
    findsSavedPlans: words.length > 0,
    savedPlan,
  };
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
