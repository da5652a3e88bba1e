import { createHmac, randomBytes } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { sha256Hex } from '../../core/lib/hash.ts';
import { type HostId, toHostId } from '../../core/model/observed.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import { isOurs, openFolder, plansIn } from './plans-folder.ts';

/** One rename that a plan shows. */
export interface PlannedRename {
  readonly hostId: HostId;
  readonly from: string | null;
  readonly to: string;
}

/**
 * The renames of one plan, recorded for its apply: Terraform passes an apply only the few resources that it applies at
 * the moment, so the provider needs the record to know which hosts release their names later.
 *
 * A random token identifies the plan. Its resources keep the token in their private data, so the apply of exactly this plan
 * has it. The token signs each line of the record, so nobody who can't read the plan can add a rename.
 */
export interface RecordedNames {
  /** For the private data of resources. */
  readonly token: string;
  /** A resource is planned. In an apply, Terraform plans it again, with the token of the plan that is applied. */
  add(rename: PlannedRename, circumstances: RenameCircumstances): AddedRename;
  /** Resources are being applied, so nothing more is recorded. */
  applying(): void;
  /** What the plan that is being applied does with a host; undefined if that is not certain. */
  find(hostId: HostId): PlannedRename | undefined;
  /** After an apply, removes the record of its plan. */
  close(): void;
}

interface RenameCircumstances {
  /** The token in the private data of the resource. */
  readonly token: string | undefined;
  /** Another host has the name. */
  readonly needsName: boolean;
  /** How many hosts the account has. */
  readonly fleetSize: number;
}

interface AddedRename {
  /** The plan that is being applied shows the rename. */
  readonly isApproved: boolean;
  /** Once, if the record can't be written. */
  readonly warning?: Problem;
}

interface PlanRecordOptions {
  /** The folder for the records of all plans of the account. */
  readonly folder: string;
  /** Identifies the command that started this process; null if it is not known. */
  readonly command: string | null;
}

interface Recorded {
  /** Identifies the plan, and is part of the names of its files. */
  readonly plan: string;
  readonly command: string | null;
  readonly renames: ReadonlyMap<HostId, PlannedRename>;
}

const formatVersion = 2;
const extension = '.renames';

export function createPlanRecord({ folder, command }: PlanRecordOptions): RecordedNames {
  const token = randomBytes(32).toString('hex');
  const plan = planOf(token);
  /** The keys that find and sign this record, with the number of lines that are written for each. */
  const keys = new Map([[token, 0]]);
  const own = new Map<HostId, PlannedRename>();
  const lines: string[] = [JSON.stringify({ version: formatVersion, command })];
  /** Records that were looked up, by key. */
  const looked = new Map<string, readonly Recorded[]>();
  /** The records of the plan that is being applied. */
  const applied = new Set<Recorded>();
  let isNeeded = false;
  let isFailed = false;
  let isApplying = false;

  /**
   * By the token of the plan. A resource that was read before the plan began has an earlier token, which is the same in
   * each plan until its next apply, so it counts only within one command.
   */
  function recordFor(stored: string, rename: PlannedRename): Recorded | undefined {
    const [exact] = lookUp(stored);
    if (exact !== undefined || command === null) return exact;
    const [only, ...others] = lookUp(keyOf(stored, rename)).filter((each) => each.command === command);
    return others.length === 0 ? only : undefined;
  }

  function lookUp(key: string): readonly Recorded[] {
    const known = looked.get(key) ?? readRecords(folder, key);
    looked.set(key, known);
    return known;
  }

  function write(fleetSize: number): Problem | undefined {
    try {
      openFolder(folder, extension);
      for (const [key, written] of keys) {
        const path = join(folder, `${nameOf(key)}-${plan}${extension}`);
        const text = lines.slice(written).map((line) => signed(line, key));
        if (written === 0) writeFileSync(path, text.join(''), { flag: 'wx', mode: 0o600 });
        else appendFileSync(path, text.join(''));
        keys.set(key, lines.length);
      }
      return undefined;
    } catch (error) {
      isFailed = true;
      removePlan(folder, plan);
      return notRecorded(folder, error, fleetSize);
    }
  }

  return {
    token,
    add(rename, { token: stored, needsName, fleetSize }) {
      if (stored !== undefined && stored !== token) {
        const record = recordFor(stored, rename);
        if (record !== undefined && isSame(rename, record.renames.get(rename.hostId))) {
          applied.add(record);
          return { isApproved: true };
        }
        keys.set(keyOf(stored, rename), keys.get(keyOf(stored, rename)) ?? 0);
      }
      if (isSame(rename, own.get(rename.hostId))) return { isApproved: false };
      own.set(rename.hostId, rename);
      lines.push(lineOf(rename));
      isNeeded ||= needsName;
      const problem = isNeeded && !isApplying && !isFailed ? write(fleetSize) : undefined;
      return { isApproved: false, ...(problem === undefined ? {} : { warning: problem }) };
    },
    applying() {
      isApplying = true;
    },
    find(hostId) {
      const [first, ...others] = [...applied].flatMap(({ renames }) => renames.get(hostId) ?? []);
      return first !== undefined && others.every((other) => isSame(first, other)) ? first : undefined;
    },
    close() {
      if (isApplying)
        for (const each of [plan, ...[...applied].map((record) => record.plan)]) removePlan(folder, each);
    },
  };
}

function planOf(token: string): string {
  return sha256Hex(`plan ${token}`).slice(0, 16);
}

/** The key of a resource without the token of its plan. */
function keyOf(stored: string, rename: PlannedRename): string {
  return signatureOf(lineOf(rename), stored);
}

/** A file name does not reveal the key. */
function nameOf(key: string): string {
  return sha256Hex(`name ${key}`);
}

/** A record that is damaged, forged or of another version is the same as none. */
function readRecords(folder: string, key: string): readonly Recorded[] {
  try {
    if (!isOurs(folder)) return [];
    const files = plansIn(folder, extension).filter(({ path }) => basename(path).startsWith(nameOf(key)));
    return files.flatMap(({ path }) => read(path, key));
  } catch {
    return [];
  }
}

function read(path: string, key: string): readonly Recorded[] {
  try {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const [head = '', ...renames] = lines.map((line) => verified(line, key));
    const { version, command } = JSON.parse(head) as { version: unknown; command: unknown };
    if (version !== formatVersion) return [];
    return [
      {
        plan: basename(path, extension).slice(nameOf(key).length + 1),
        command: typeof command === 'string' ? command : null,
        renames: new Map(renames.map(renameOf).map((each) => [each.hostId, each])),
      },
    ];
  } catch {
    return [];
  }
}

/** Leftover files are removed by a later plan. */
function removePlan(folder: string, plan: string): void {
  try {
    for (const { path } of plansIn(folder, extension))
      if (path.endsWith(`-${plan}${extension}`)) rmSync(path, { force: true });
  } catch {
    // The folder does not exist, or is not writable.
  }
}

function signatureOf(line: string, key: string): string {
  return createHmac('sha256', key).update(line).digest('hex');
}

function signed(line: string, key: string): string {
  return `${signatureOf(line, key)} ${line}\n`;
}

function verified(text: string, key: string): string {
  const line = text.slice(text.indexOf(' ') + 1);
  if (`${text}\n` !== signed(line, key)) throw new TypeError('not signed by the plan');
  return line;
}

function lineOf({ hostId, from, to }: PlannedRename): string {
  return JSON.stringify([hostId, from, to]);
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

function notRecorded(folder: string, error: unknown, fleetSize: number): Problem {
  const why = error instanceof Error ? error.message : String(error);
  return warning('file-not-written', `the renames of this plan can't be kept for its apply in ${folder}`, {
    hint: `${why}. Set state_dir to a folder that you can write to. Otherwise, apply with -parallelism=${fleetSize}, so that hosts that swap their names are renamed together, or manage these hosts with one rampart_fleet`,
  });
}
