import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { codeOf } from '../../core/lib/error-code.ts';
import { sha256Hex } from '../../core/lib/hash.ts';
import { type Clock, type Environment, valueOf } from '../../core/lib/surroundings.ts';
import { asWarning, failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import {
  type AuditKeys,
  auditKeyVariable,
  createAuditKey,
  readAuditKeys,
} from '../../run/state/audit/audit-keys.ts';
import { type HeadMemory, signedAudit } from '../../run/state/audit/sign-audit.ts';
import { isSignedBy, parseSignedHead, type SignedHead } from '../../run/state/audit/signed-head.ts';
import { replaceFile } from '../../run/state/files/replace-file.ts';
import type { State } from '../../run/state/interface/state.ts';
import { logProblem, type ServerLog } from '../../run/telemetry/server-log.ts';

/** How often a server signs what others have appended, in milliseconds. */
const signEveryMs = 60_000;

/** The key that a server uses if the environment names none. */
export interface ServerKey {
  /** Each database has its own key in this folder. */
  readonly folder: string;
  /** A key that does not exist is made: only for a process that signs the log. */
  readonly mayCreate: boolean;
}

export interface ServerSigning {
  readonly keys: AuditKeys;
  /** Absent: the head is remembered only as long as the process runs. */
  readonly memory?: HeadMemory;
}

/**
 * The key of a server, which is created at its first start. A log that is already signed needs the key with which it
 * was signed; another key would only look like that of an intruder.
 */
export async function openServerKey(
  { audit, place, clock }: Pick<State, 'audit' | 'place'> & { readonly clock: Clock },
  env: Environment,
  own: ServerKey | undefined,
  databaseFolder: string | undefined,
): Promise<Result<ServerSigning | undefined>> {
  const named = valueOf(env, auditKeyVariable);
  if (named === undefined && own === undefined) return ok(undefined);
  const path = named ?? ownPath(own?.folder ?? '', place);
  const given = {
    audit,
    path,
    clock,
    databaseFolder,
    isNamed: named !== undefined,
    mayCreate: own?.mayCreate ?? false,
  };
  const opened = await openKey(given);
  // A server whose operator chose no file starts without a signature, and reports that.
  return opened.ok || named !== undefined ? opened : ok(undefined, opened.problems.map(asWarning));
}

function ownPath(folder: string, place: string): string {
  return join(folder, `audit-key-${sha256Hex(place).slice(0, 12)}.pem`);
}

async function openKey({
  audit,
  path,
  clock,
  databaseFolder,
  isNamed,
  mayCreate,
}: {
  readonly audit: State['audit'];
  readonly path: string;
  readonly clock: Clock;
  readonly databaseFolder: string | undefined;
  readonly isNamed: boolean;
  readonly mayCreate: boolean;
}): Promise<Result<ServerSigning | undefined>> {
  const isNew = !existsSync(path);
  if (isNew) {
    if (!mayCreate) return isNamed ? failed(noKey(path, 'does not exist')) : ok(undefined);
    const head = await audit.readHead();
    if (!head.ok) return head;
    if (head.value !== null) return failed(noKey(path, 'does not exist, but the audit log is signed'));
    const created = createAuditKey(path);
    if (!created.ok) return created;
  }
  const keys = readAuditKeys(path, path, databaseFolder);
  if (!keys.ok) return keys;
  const memory = keys.value.signing === undefined ? undefined : memoryBeside(path);
  if (memory !== undefined && (isNew || !isNamed)) {
    const claimed = await claimLog(audit, keys.value, memory, clock);
    if (!claimed.ok) return claimed;
    if (!claimed.value) {
      if (isNew) rmSync(path, { force: true });
      return failed(noKey(path, 'is not the key that the audit log is signed with'));
    }
  }
  return ok({ keys: keys.value, ...(memory === undefined ? {} : { memory }) });
}

/**
 * Several servers may start for the first time at once, each with its own key folder. The first signature in the
 * database decides whose key it is. A key that has signed before is kept: another signature then belongs to an
 * intruder.
 */
async function claimLog(
  audit: State['audit'],
  keys: AuditKeys,
  memory: HeadMemory,
  clock: Clock,
): Promise<Result<boolean>> {
  const before = await memory.read();
  if (!before.ok || before.value !== null) return ok(true);
  // A log that can't be signed for another reason is reported once the server runs.
  await signedAudit(audit, keys, memory).sign(clock);
  const stored = await audit.readHead();
  if (!stored.ok) return stored;
  const head = stored.value === null ? undefined : parseSignedHead(stored.value);
  return ok(head === undefined || isSignedBy(head, keys));
}

function noKey(path: string, why: string): Problem {
  return problem('configuration', `the audit key ${path} ${why}`, {
    hint: `copy the key from the other servers or from a backup, or set ${auditKeyVariable} to its file`,
  });
}

/** A file next to the key has the last head, so a log that was set back while no server ran is noticed too. */
function memoryBeside(keyPath: string): HeadMemory | undefined {
  const path = `${keyPath}.head.json`;
  try {
    accessSync(dirname(path), constants.W_OK);
  } catch {
    return undefined;
  }
  return {
    async read() {
      try {
        const head = parseSignedHead(readFileSync(path, 'utf8'));
        return head === undefined ? failed(unusable(path, 'it is damaged')) : ok(head);
      } catch (error) {
        return codeOf(error) === 'ENOENT' ? ok(null) : failed(unusable(path, codeOf(error)));
      }
    },
    async write(head: SignedHead) {
      try {
        await replaceFile(path, `${JSON.stringify(head)}\n`, { mode: 0o600 });
        return ok(null);
      } catch (error) {
        return failed(unusable(path, codeOf(error)));
      }
    },
  };
}

function unusable(path: string, why: string): Problem {
  return problem('journal', `the last signed head in ${path} can't be used (${why})`, {
    hint: 'free some disk space, or correct the permissions of this file',
  });
}

/** What `/metrics` shows of the signature. */
export interface AuditSigning {
  /** The last head that this server signed, after an append or by the minute; null if there is none. */
  readonly head: () => Promise<SignedHead | null>;
  /** The log does not continue the signed one. */
  readonly isBroken: () => boolean;
  stop(): Promise<void>;
}

/** Signs now and every minute. A log that can't be signed is reported each time, because someone may have changed it. */
export async function startSigning({
  state,
  clock,
  log,
}: {
  readonly state: Pick<State, 'audit'>;
  readonly clock: Clock;
  readonly log: ServerLog;
}): Promise<AuditSigning> {
  let isBroken = false;
  const sign = async () => {
    const signed = await state.audit.sign(clock);
    isBroken = signed.problems.some(({ code }) => code === 'audit-broken');
    if (!signed.ok) for (const each of signed.problems) logProblem(log, 'error', each, 'audit');
  };
  await sign();
  const timer = setInterval(() => void sign(), signEveryMs);
  return {
    async head() {
      const head = await state.audit.remembered();
      return head.ok ? head.value : null;
    },
    isBroken: () => isBroken,
    async stop() {
      clearInterval(timer);
      await sign();
    },
  };
}
