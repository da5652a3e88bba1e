import { sha256Hex } from '../../../core/lib/hash.ts';
import type { Clock } from '../../../core/lib/surroundings.ts';
import { createTurns } from '../../../core/lib/turns.ts';
import { asWarning, failed, ok, type Problem, problem, type Result } from '../../../core/problem/problem.ts';
import type { AuditKeys } from './audit-keys.ts';
import { type AuditLog, eachRecord } from './audit-log.ts';
import { type ChainHead, chainHeadOf, emptyChain, parseRecord, type StoredRecord } from './chain.ts';
import { isSignedBy, parseSignedHead, type SignedHead, signHead } from './signed-head.ts';
import { verifyChain } from './verify-chain.ts';

/** An audit log whose heads this process signs. */
export interface SignedAudit extends AuditLog {
  readonly keys: AuditKeys | undefined;
  /** Signs the last record; the head is null if there is no key to sign with. */
  sign(clock: Clock): Promise<Result<SignedHead | null>>;
  /** The last head that was signed here, wherever the log is now; null if there is none. */
  remembered(): Promise<Result<SignedHead | null>>;
}

/** A place outside the log and its database for the last head that was signed here. */
export interface HeadMemory {
  read(): Promise<Result<SignedHead | null>>;
  write(head: SignedHead): Promise<Result<null>>;
}

function memoryOfProcess(): HeadMemory {
  let latest: SignedHead | null = null;
  return {
    read: async () => ok(latest),
    async write(head) {
      latest = head;
      return ok(null);
    },
  };
}

/**
 * The same log, signed after each append. A head is signed only if the log continues the last signed head and the last one
 * that this process signed: otherwise, a log that someone cut off or wrote again would get a valid signature.
 */
export function signedAudit(
  audit: AuditLog,
  keys: AuditKeys | undefined,
  memory: HeadMemory = memoryOfProcess(),
): SignedAudit {
  const inTurn = createTurns();
  let waiting: Promise<Result<SignedHead | null>> | undefined;
  const signing = keys?.signing;
  const same = { ...audit, keys, remembered: () => memory.read() };
  if (keys === undefined || signing === undefined) return { ...same, sign: async () => ok(null) };

  /** `known`: the last record before those that this process has just appended. */
  const signNow = async (clock: Clock, known?: number): Promise<Result<SignedHead | null>> => {
    const stored = await audit.readHead();
    if (!stored.ok) return stored;
    const before = stored.value === null ? undefined : parseSignedHead(stored.value);
    if (stored.value !== null && (before === undefined || !isSignedBy(before, keys)))
      return failed(notContinued('its last signed head is not signed with a known key'));
    const latest = await memory.read();
    if (!latest.ok) return latest;
    if (before === undefined && latest.value !== null)
      return failed(notContinued('its last signed head was removed'));
    const heads = [before, latest.value ?? undefined].filter((each) => each !== undefined);
    const end = await endAfter(audit, heads);
    if (!end.ok) return end;
    const { seq, hash } = end.value;
    if (before?.hash === hash && before.key === signing.id && latest.value?.hash === hash) return ok(before);
    const at = new Date(clock.now()).toISOString();
    const head = signHead({ seq, hash }, { at, firstSeq: before?.first_seq ?? known ?? seq }, signing);
    const saved = await audit.saveHead(head, before === undefined);
    if (!saved.ok) return saved;
    // Another process has signed the log for the first time since then, perhaps with another key.
    if (!saved.value) return signNow(clock, known);
    const noted = await memory.write(head);
    return noted.ok ? ok(head) : noted;
  };
  /** Requests that wait for the same turn share one signature. */
  const sign = (clock: Clock, known?: number) => {
    waiting ??= inTurn(() => {
      waiting = undefined;
      return signNow(clock, known);
    });
    return waiting;
  };
  return {
    ...same,
    sign: (clock) => sign(clock),
    /** Appended records are kept if they can't be signed: the problems are warnings. */
    async append(clock, entries) {
      const appended = await audit.append(clock, entries);
      if (!appended.ok) return appended;
      const signed = await sign(clock, appended.value.seq - entries.length);
      return ok(appended.value, [...appended.problems, ...signed.problems.map(asWarning)]);
    },
  };
}

/** The last record of a log, if the log still has all these heads; without heads, if the whole log is intact. */
async function endAfter(audit: AuditLog, heads: readonly ChainHead[]): Promise<Result<ChainHead>> {
  if (heads.length === 0) {
    const verifier = verifyChain();
    const read = await eachRecord(audit, verifier.add);
    if (!read.ok) return read;
    const { faults, head } = verifier.end();
    return faults[0] === undefined ? ok(head ?? emptyChain) : failed(notContinued(faults[0].message));
  }
  const tail = await readTail(audit, Math.min(...heads.map(({ seq }) => seq)));
  if (!tail.ok) return tail;
  const hashes = hashesOf(tail.value);
  if (hashes === undefined || !heads.every(({ seq, hash }) => hashes.get(seq) === hash))
    return failed(notContinued('records that were signed are no longer there'));
  const [seq, hash] = [...hashes].at(-1) ?? [0, emptyChain.hash];
  return ok({ seq, hash });
}

/** Few records usually follow the last head. */
const usualTail = 64;

/** The last records, at least from this one on. */
async function readTail(audit: AuditLog, from: number): Promise<Result<readonly StoredRecord[]>> {
  for (let count = usualTail; ; count *= 8) {
    const read = await audit.latest(count);
    if (!read.ok) return read;
    const [first] = read.value;
    if (read.value.length < count || first === undefined || (chainHeadOf(first)?.seq ?? 0) <= from)
      return read;
  }
}

/** The hashes of consecutive records by their numbers; undefined if a record does not follow the one before. */
function hashesOf(records: readonly StoredRecord[]): ReadonlyMap<number, string> | undefined {
  const hashes = new Map<number, string>();
  let before: ChainHead | undefined;
  for (const { hash, text } of records) {
    const record = parseRecord(text);
    if (record === undefined || sha256Hex(text) !== hash) return undefined;
    const { seq, previous } = record;
    before ??= seq === 1 ? emptyChain : { seq: seq - 1, hash: previous };
    if (seq !== before.seq + 1 || previous !== before.hash) return undefined;
    if (hashes.size === 0) hashes.set(before.seq, before.hash);
    hashes.set(seq, hash);
    before = { seq, hash };
  }
  return records.length === 0 ? new Map([[0, emptyChain.hash]]) : hashes;
}

function notContinued(why: string): Problem {
  return problem('audit-broken', `the audit log is not signed anymore: ${why}`, {
    hint: 'list the faults with: rampart state audit verify',
  });
}
