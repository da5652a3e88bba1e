import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../core/lib/once.ts';
import { isOurs, openFolder, plansIn } from './plans-folder.ts';
import type { TerraformCommand } from './terraform-command.ts';

/**
 * What an approved plan shows, for its apply. Terraform plans each resource again in an apply, does not pass the
 * approved plan, and reports a bug in the provider if the two differ. The provider needs the approved plan to report
 * that the fleet has changed.
 */
export interface ApprovedPlans {
  /**
   * Keeps the plan of a resource for the apply by the same command. In an apply, the result is the approved plan if it
   * differs from this one.
   */
  add(plan: ShownPlan): ShownPlan | undefined;
  /** The latest approved plan of a resource; undefined in a plan, and if it is not known. */
  find(resource: string): ShownPlan | undefined;
  /** Terraform refreshes a resource, which it does only before a plan. */
  refreshing(): void;
  /** After an apply, removes the files of its plan, and returns whether it was one. */
  close(): boolean;
}

export interface ShownPlan {
  /** Identifies the resource by its arguments, because Terraform does not name it. */
  readonly resource: string;
  /** What the plan shows, as JSON. */
  readonly shown: string;
}

interface ApprovedPlansOptions {
  /** The folder for the files of all plans of the account. */
  readonly folder: string;
  /** Null if it is not known: then nothing is kept. Called only if a plan is added, because it can take a second. */
  command(): TerraformCommand | null;
  /** The plans in the file of the saved plan that the command applies; empty if there is none. */
  savedPlans(): readonly ShownPlan[];
}

const extension = '.shown';

export function createApprovedPlans({ folder, command, savedPlans }: ApprovedPlansOptions): ApprovedPlans {
  const path = join(folder, `${randomUUID()}${extension}`);
  let file: 'not-needed' | 'written' | 'failed' = 'not-needed';
  let isPlan = false;
  let isApply = false;
  const kept = once(() => {
    const id = command()?.id;
    return id === undefined ? [] : readAll(folder, id, path);
  });
  const approved = once(() =>
    Map.groupBy(
      [...kept().flatMap(({ plans }) => plans), ...savedPlans()],
      ({ resource }): string => resource,
    ),
  );

  /** Without the file, Terraform reports a difference in its own words. */
  function write(id: string, { resource, shown }: ShownPlan): void {
    const line = `${JSON.stringify([resource, shown])}\n`;
    try {
      if (file === 'written') appendFileSync(path, line);
      else {
        openFolder(folder, extension);
        writeFileSync(path, `${JSON.stringify({ command: id })}\n${line}`, { flag: 'wx', mode: 0o600 });
      }
      file = 'written';
    } catch {
      file = 'failed';
    }
  }

  const approvedFor = (resource: string) => (isPlan ? [] : (approved().get(resource) ?? []));

  return {
    find: (resource) => approvedFor(resource).at(-1),
    add(plan) {
      const [last, ...others] = approvedFor(plan.resource).toReversed();
      if (last !== undefined) {
        isApply = true;
        return [last, ...others].some(({ shown }) => shown === plan.shown) ? undefined : last;
      }
      const own = command();
      if (own?.appliesOwnPlan === true && file !== 'failed') write(own.id, plan);
      return undefined;
    },
    refreshing() {
      isPlan = true;
    },
    close() {
      if (isApply) for (const each of kept()) remove(each.path);
      return isApply;
    },
  };
}

interface Kept {
  readonly path: string;
  readonly plans: readonly ShownPlan[];
}

/** The files of earlier processes of the same command. */
function readAll(folder: string, command: string, own: string): readonly Kept[] {
  try {
    if (!isOurs(folder)) return [];
    return plansIn(folder, extension).flatMap(({ path }) => (path === own ? [] : read(path, command)));
  } catch {
    return [];
  }
}

function read(path: string, command: string): readonly Kept[] {
  try {
    const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    const { command: written } = JSON.parse(head as string) as { command: unknown };
    return written === command ? [{ path, plans: lines.map(planOf) }] : [];
  } catch {
    return [];
  }
}

function planOf(line: string): ShownPlan {
  const [resource, shown] = JSON.parse(line) as readonly unknown[];
  if (typeof resource !== 'string' || typeof shown !== 'string') throw new TypeError('not a plan');
  return { resource, shown };
}

/** A file that stays is removed by a later plan. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is not writable.
  }
}
