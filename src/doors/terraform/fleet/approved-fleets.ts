import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../../core/lib/hash.ts';
import { type Problem, problem } from '../../../core/problem/problem.ts';
import { isOurs, openFolder } from './plans-folder.ts';
import type { TerraformCommand } from './terraform-command.ts';

/**
 * The plans of whole desired states, kept in files for their applies. Terraform plans again in an apply, and reports a
 * bug in the provider if the plan differs. It does not pass the approved plan, so the provider needs the file to report
 * that the fleet has changed.
 */
export interface ApprovedFleets {
  /** Keeps the plan. In an apply, the result is the problem that no plan of this desired state was like this one. */
  add(plan: PlannedFleet): Problem | undefined;
  /** Terraform refreshes a resource, which it does only before a plan. */
  refreshing(): void;
}

export interface PlannedFleet {
  /** Identifies the desired state with its options, and the latest apply of it. */
  readonly desired: string;
  readonly checksum: string;
  /** For messages. */
  readonly summary: string;
}

interface Kept {
  readonly command: string;
  /** The process of the provider. */
  readonly session: string;
  readonly checksum: string;
  readonly summary: string;
}

interface ApprovedFleetsOptions {
  /** The folder for the files of all plans of the account. */
  readonly folder: string;
  /** Null if it is not known: then nothing is kept. */
  readonly command: TerraformCommand | null;
}

const extension = '.fleet.json';
const mostKept = 20;

export function createApprovedFleets({ folder, command }: ApprovedFleetsOptions): ApprovedFleets {
  const session = randomUUID();
  let isPlan = false;

  /** The plans that may be the approved one; empty unless this is certainly an apply. */
  function approvedAmong(earlier: readonly Kept[]): readonly Kept[] {
    if (isPlan || command === null) return [];
    const ofCommand = earlier.filter((each) => each.command === command.id);
    return ofCommand.length > 0 ? ofCommand : command.appliesSavedPlan() ? earlier : [];
  }

  return {
    add({ desired, checksum, summary }) {
      if (command === null) return undefined;
      const path = join(folder, `${sha256Hex(desired).slice(0, 32)}${extension}`);
      const earlier = read(folder, path).filter((each) => each.session !== session);
      const approved = approvedAmong(earlier);
      const last = approved.at(-1);
      if (last === undefined) {
        write(folder, path, [...earlier, { command: command.id, session, checksum, summary }]);
        return undefined;
      }
      return approved.some((each) => each.checksum === checksum) ? undefined : changed(last.summary, summary);
    },
    refreshing() {
      isPlan = true;
    },
  };
}

function read(folder: string, path: string): readonly Kept[] {
  try {
    if (!isOurs(folder)) return [];
    const kept = JSON.parse(readFileSync(path, 'utf8')) as unknown;
    return Array.isArray(kept) ? kept.filter(isKept) : [];
  } catch {
    return [];
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false;
  const texts = value as Readonly<Record<string, unknown>>;
  return ['command', 'session', 'checksum', 'summary'].every((name) => typeof texts[name] === 'string');
}

/** Without the file, Terraform reports the difference in its own words. */
function write(folder: string, path: string, kept: readonly Kept[]): void {
  try {
    openFolder(folder, extension);
    writeFileSync(path, JSON.stringify(kept.slice(-mostKept)), { mode: 0o600 });
  } catch {
    // The folder is not writable.
  }
}

function changed(before: string, now: string): Problem {
  const nothing = 'no changes';
  return problem(
    'stale-plan',
    `the fleet has changed since the plan, and now needs another one: ${before || nothing} in the plan, ${now || nothing} now`,
    { hint: 'nothing was sent for this resource. Plan again, and apply that plan' },
  );
}
