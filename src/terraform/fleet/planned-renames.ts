import { randomUUID } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from '../../core/lib/once.ts';
import { type HostId, toHostId } from '../../core/model/host-id.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import { isOurs, openFolder, plansIn } from './plans-folder.ts';

/** One rename that a plan shows. */
export interface PlannedRename {
  readonly hostId: HostId;
  readonly from: string | null;
  readonly to: string;
}

/**
 * The renames of one plan, kept in a file for its apply. In an apply, Terraform passes the provider only the few
 * resources that it applies at the moment, so the provider needs the file to know which hosts release their names later.
 */
export interface PlannedRenames {
  /** The result is a warning if the file can't be written, once. */
  add(rename: PlannedRename, circumstances: RenameCircumstances): Problem | undefined;
  /** Whether the plan that this Terraform command applies shows the rename; false while it plans. */
  isApproved(rename: PlannedRename): boolean;
  /** Resources are being applied, so the renames that are added now belong to an earlier plan. */
  applying(): void;
  /** What the plan that is being applied does with a host; undefined if that is not certain. */
  find(hostId: HostId): PlannedRename | undefined;
  /** After an apply, removes the files of its plan. */
  close(): void;
}

interface RenameCircumstances {
  /** Another host has the name. */
  readonly needsName: boolean;
  /** How many hosts the account has. */
  readonly fleetSize: number;
}

interface PlannedRenamesOptions {
  /** The folder for the files of all plans of the account. */
  readonly folder: string;
  /** The process id of the Terraform command; null if unknown. */
  readonly command: number | null;
  /** The renames in the saved plan that the command applies, for each provider block; empty if there is none. */
  savedRenames(): readonly (readonly PlannedRename[])[];
}

interface Kept {
  readonly path: string;
  readonly command: number | null;
  readonly renames: ReadonlyMap<HostId, PlannedRename>;
}

const formatVersion = 1;
const extension = '.jsonl';

export function createPlannedRenames({
  folder,
  command,
  savedRenames,
}: PlannedRenamesOptions): PlannedRenames {
  const path = join(folder, `${randomUUID()}${extension}`);
  /** In a plan, its renames; in an apply, the renames that Terraform has requested so far. */
  const own = new Map<HostId, PlannedRename>();
  const keptBefore = once(() => readAll(folder, path));
  const saved = once(() => savedRenames().map(byHost));
  let file: 'not-needed' | 'written' | 'failed' = 'not-needed';
  let isApplying = false;

  /** The same command made the plan that it applies, or the file of the saved plan contains it. */
  const approved = (): readonly Pick<Kept, 'renames'>[] => [
    ...saved().map((renames) => ({ renames })),
    ...keptBefore().filter((kept) => command !== null && kept.command === command),
  ];
  const isApproved = (rename: PlannedRename) =>
    approved().some(({ renames }) => isSame(rename, renames.get(rename.hostId)));
  const isOfThisPlan = ({ renames }: Pick<Kept, 'renames'>) =>
    Array.from(own.values()).every((each) => isSame(each, renames.get(each.hostId)));

  function write(added: PlannedRename, fleetSize: number): Problem | undefined {
    try {
      if (file === 'written') appendFileSync(path, lineOf(added));
      else {
        openFolder(folder, extension);
        const head = `${JSON.stringify({ version: formatVersion, command })}\n`;
        writeFileSync(path, head + [...own.values()].map(lineOf).join(''), { flag: 'wx', mode: 0o600 });
      }
      file = 'written';
      return undefined;
    } catch (error) {
      file = 'failed';
      remove(path);
      return notKept(folder, error, fleetSize);
    }
  }

  return {
    add(rename, { needsName, fleetSize }) {
      if (isSame(rename, own.get(rename.hostId))) return undefined;
      own.set(rename.hostId, rename);
      if (isApplying || file === 'failed' || (file === 'not-needed' && !needsName)) return undefined;
      return isApproved(rename) ? undefined : write(rename, fleetSize);
    },
    isApproved,
    applying() {
      isApplying = true;
    },
    find(hostId) {
      const mayBe = (kept: Pick<Kept, 'renames'>) => kept.renames.has(hostId) && isOfThisPlan(kept);
      const exact = approved().filter(mayBe);
      const candidates = keptBefore().filter(mayBe);
      const [first, ...others] = (exact.length > 0 ? exact : candidates).map(({ renames }) =>
        renames.get(hostId),
      );
      return first !== undefined && others.every((other) => isSame(first, other)) ? first : undefined;
    },
    close() {
      if (!isApplying) return;
      for (const kept of [...keptBefore().filter(isOfThisPlan), { path }]) remove(kept.path);
    },
  };
}

function readAll(folder: string, own: string): readonly Kept[] {
  try {
    if (!isOurs(folder)) return [];
    return plansIn(folder, extension).flatMap(({ path }) => (path === own ? [] : read(path)));
  } catch {
    return [];
  }
}

function read(path: string): readonly Kept[] {
  try {
    const [head, ...lines] = readFileSync(path, 'utf8').trimEnd().split('\n');
    const { version, command } = JSON.parse(head as string) as { version: unknown; command: unknown };
    if (version !== formatVersion) return [];
    const renames = lines.map(renameOf);
    return [
      {
        path,
        command: typeof command === 'number' ? command : null,
        renames: byHost(renames),
      },
    ];
  } catch {
    return [];
  }
}

function byHost(renames: readonly PlannedRename[]): ReadonlyMap<HostId, PlannedRename> {
  return new Map(renames.map((each) => [each.hostId, each]));
}

/** A file that stays is removed by a later plan. */
function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder is not writable.
  }
}

function lineOf({ hostId, from, to }: PlannedRename): string {
  return `${JSON.stringify([hostId, from, to])}\n`;
}

function renameOf(line: string): PlannedRename {
  const [id, from, to] = JSON.parse(line) as readonly unknown[];
  const hostId = toHostId(String(id));
  if (hostId === undefined || (from !== null && typeof from !== 'string') || typeof to !== 'string')
    throw new TypeError('not a planned rename');
  return { hostId, from, to };
}

function isSame(one: PlannedRename, other: PlannedRename | undefined): boolean {
  return one.hostId === other?.hostId && one.from === other.from && one.to === other.to;
}

function notKept(folder: string, error: unknown, fleetSize: number): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return warning('file-not-written', `the renames of this plan can't be kept for its apply in ${folder}`, {
    hint: `${why}. Set state_dir to a folder that you can write to. Otherwise, apply with -parallelism=${fleetSize}, so that hosts that exchange their names are renamed together`,
  });
}
