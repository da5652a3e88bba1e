import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openFolder, plansIn } from './plans-folder.ts';

/**
 * The claims of the provider blocks of one account in one Terraform command. Terraform starts a process for each block,
 * and gives none of them the configuration of another, so they find each other only through files. Blocks of one plan
 * run at the same time under one parent process. The processes of the plan end before those of its apply start.
 */
export interface ClaimBoard {
  /** Publishes claims, and returns all of this block's claims that another block has too, each once. */
  publish(claims: readonly string[]): readonly string[];
  /** After an apply, removes the files of its plan. */
  close(isApply: boolean): void;
}

interface ClaimBoardOptions {
  /** The folder for the files of all plans of the account. */
  readonly folder: string;
  /** Identifies the command that started this process; null if it is not known: then nothing is published. */
  readonly command: string | null;
  /** When this process started, in milliseconds since the epoch. */
  readonly startedAt?: number;
  /** Does the process of another block still run? */
  readonly isRunning?: (pid: number) => boolean;
}

const extension = '.claims';

export function createClaimBoard({
  folder,
  command,
  startedAt = performance.timeOrigin,
  isRunning = runs,
}: ClaimBoardOptions): ClaimBoard {
  const path = join(folder, `${randomUUID()}${extension}`);
  const own = new Set<string>();
  const reported = new Set<string>();
  let isOpen = false;

  function removeEnded(): void {
    for (const { path: file, pid } of filesIn(folder)) if (!isRunning(pid)) rmSync(file, { force: true });
  }

  function open(): void {
    openFolder(folder, extension);
    for (const { path: file, command: by, pid } of filesIn(folder))
      if (by !== command && !isRunning(pid)) rmSync(file, { force: true });
    writeFileSync(path, `${JSON.stringify({ command, pid: process.pid })}\n`, { flag: 'wx', mode: 0o600 });
    isOpen = true;
  }

  return {
    publish(claims) {
      if (claims.length === 0 || command === null) return [];
      try {
        if (!isOpen) open();
        appendFileSync(path, claims.map((claim) => `${claim}\n`).join(''));
        for (const claim of claims) own.add(claim);
        const shared = filesIn(folder)
          .filter(({ path: file, command: by }) => file !== path && by === command)
          .filter(({ writtenAt, pid }) => writtenAt >= startedAt || isRunning(pid))
          .flatMap(({ claims: theirs }) => theirs);
        const found = shared.filter((claim) => own.has(claim) && !reported.has(claim));
        for (const claim of found) reported.add(claim);
        return [...new Set(found)];
      } catch {
        // The folder is not writable. The apply then reports the changed host.
        return [];
      }
    },
    close(isApply) {
      if (!isOpen || !isApply) return;
      try {
        rmSync(path, { force: true });
        removeEnded();
      } catch {
        // A later command removes them.
      }
    },
  };
}

/**
 * The readable files of all blocks: not one that another block is removing, or one whose first line is not written yet.
 * The block that writes it publishes its claims after that line, and then reads ours.
 */
function filesIn(folder: string) {
  return plansIn(folder, extension).flatMap((file) => {
    try {
      const [head = '', ...claims] = readFileSync(file.path, 'utf8').trimEnd().split('\n');
      const { command, pid } = JSON.parse(head) as { readonly command: string; readonly pid: number };
      return [{ ...file, command, pid, claims }];
    } catch {
      return [];
    }
  });
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
