import { count } from '../../../core/lib/words.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import { type AuditKeys, auditKeyVariable } from './audit-keys.ts';
import { eachRecord } from './audit-log.ts';
import type { AuditRecord } from './audit-record.ts';
import { parseRecord } from './chain.ts';
import { type CoveredStore, coverKey, coversOf, coverWithinMs, readCoverKey } from './covers.ts';
import type { SignedAudit } from './sign-audit.ts';
import { isSignedBy, parseSignedHead, type SignedHead } from './signed-head.ts';
import { type ChainVerifier, type Verification, verifyChain } from './verify-chain.ts';

/**
 * `intact`: a head that was signed with a known key covers the log, and what the log covers is as recorded. `unsigned`:
 * there is no key, and without it no fault.
 */
export type AuditVerdict = 'intact' | 'unsigned' | 'broken';

export interface AuditVerification extends Verification {
  readonly verdict: AuditVerdict;
  readonly signedHead: SignedHead | null;
  /** What this check can't notice, one sentence each. */
  readonly unnoticed: readonly string[];
}

export interface VerifyAuditOptions {
  readonly audit: Pick<SignedAudit, 'keys' | 'latest' | 'page' | 'readHead' | 'remembered'>;
  /** The keys whose signatures are accepted; those of the log if absent. */
  readonly keys?: AuditKeys | undefined;
  /** What the records cover. */
  readonly stores: readonly CoveredStore[];
  /** The hash of a record that was saved elsewhere. */
  readonly keptHead?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Verifies the chain, its signature, and what the records cover. */
export async function verifyAudit({
  audit,
  keys = audit.keys,
  stores,
  keptHead,
  now,
}: VerifyAuditOptions): Promise<Result<AuditVerification>> {
  const remembered = await audit.remembered();
  if (!remembered.ok) return remembered;
  const verifier = verifyChain(keptHead, remembered.value?.hash);
  // Before the records: a head that is signed in the meantime would cover records that were not read.
  const stored = await audit.readHead();
  if (!stored.ok) return stored;
  const signed = stored.value === null ? null : (parseSignedHead(stored.value) ?? null);
  const covered = trackCovers();
  const after: Later[] = [];
  let last = 0;
  let hashAtHead: string | undefined;
  const read = await eachRecord(audit, (record) => {
    const parsed = verifier.add(record);
    if (parsed === undefined) return;
    const { seq, at } = parsed;
    last = Math.max(last, seq);
    if (seq === signed?.seq) hashAtHead = record.hash;
    if (signed !== null && seq > signed.seq) after.push({ seq, at: Date.parse(at) });
    covered.add(parsed);
  });
  if (!read.ok) return read;

  const unnoticed: string[] = [];
  if (signed === null) reportNoHead(verifier, keys, stored.value !== null, last);
  else {
    reportHead(verifier, signed, keys);
    if (signed.seq > last) verifier.report('cut-off', last + 1, cutOff(signed, last));
    else if (signed.seq > 0 && hashAtHead !== signed.hash)
      verifier.report(
        'replaced',
        signed.seq,
        `record ${signed.seq} is not the one that was signed at ${signed.at}`,
      );
    const late = after.filter(({ at }) => now - at > coverWithinMs || at - now > coverWithinMs);
    if (late[0] !== undefined) verifier.report('unsigned', late[0].seq, notCovered(late));
    else if (after.length > 0)
      unnoticed.push(
        `${records(after)} is newer than the last signed head, so its removal would not be noticed yet.`,
      );
    if (signed.first_seq > 0)
      unnoticed.push(`Changes to records 1 to ${signed.first_seq} before ${firstSignature} are not noticed.`);
  }
  const compared = await compare({ verifier, covered, stores, audit, now });
  if (!compared.ok) return compared;

  const end = verifier.end();
  const verdict = end.faultCount > 0 ? 'broken' : keys === undefined ? 'unsigned' : 'intact';
  return ok({
    ...end,
    verdict,
    signedHead: signed,
    unnoticed: [
      ...withoutCopy(keys, signed, keptHead ?? remembered.value?.hash),
      ...unnoticed,
      ...compared.value,
    ],
  });
}

const firstSignature = 'the log was signed for the first time';

interface Later {
  readonly seq: number;
  readonly at: number;
}

interface Covered {
  readonly digest: string;
  /** The record that covers it. */
  readonly seq: number;
}

/** What the records state about the rest of the state; the latest record decides. */
function trackCovers() {
  const digests = new Map<string, Covered>();
  /** Every run that a record names, and everything that was ever covered. */
  const mentioned = new Set<string>();
  return {
    digests,
    mentioned,
    add({ seq, what }: Pick<AuditRecord, 'seq' | 'what'>): void {
      if (typeof what['run_id'] === 'string') mentioned.add(coverKey('run', what['run_id']));
      for (const [key, digest] of Object.entries(coversOf(what))) {
        const { kind, id } = readCoverKey(key);
        // The digest of a whole run is also that of its first record.
        if (kind === 'run') digests.delete(coverKey('run-start', id));
        if (digest === null) digests.delete(key);
        else digests.set(key, { digest, seq });
        if (digest === null) mentioned.delete(key);
        else mentioned.add(key);
      }
    },
  };
}

function reportNoHead(
  { report }: ChainVerifier,
  keys: AuditKeys | undefined,
  isDamaged: boolean,
  last: number,
): void {
  if (isDamaged) report('unsigned', last, 'the last signed head is damaged');
  else if (keys !== undefined)
    report(
      'unsigned',
      last,
      last === 0
        ? 'the log is empty and has no signed head: nothing was ever recorded, or everything was removed'
        : 'the log has no signed head: it was never signed, or the head was removed',
    );
}

function reportHead({ report }: ChainVerifier, signed: SignedHead, keys: AuditKeys | undefined): void {
  if (keys === undefined) return;
  if (!keys.known.has(signed.key))
    report(
      'unsigned',
      signed.seq,
      `the last head is signed with an unknown key (${signed.key.slice(0, 16)}…)`,
    );
  else if (!isSignedBy(signed, keys))
    report('unsigned', signed.seq, 'the last head was changed: its signature is not valid');
}

function cutOff({ seq, at }: SignedHead, last: number): string {
  const what = last === 0 ? 'all records are missing' : `the records after ${last} are missing`;
  return `${what}: the head that was signed at ${at} covers ${seq}`;
}

function records(after: readonly Later[]): string {
  const [first] = after;
  const last = after.at(-1);
  return first === last ? `Record ${first?.seq}` : `Each of the records ${first?.seq} to ${last?.seq}`;
}

function notCovered(late: readonly Later[]): string {
  const [first] = late;
  const last = late.at(-1);
  const which =
    first === last
      ? `record ${first?.seq} is not covered`
      : `records ${first?.seq} to ${last?.seq} are not covered`;
  return `${which} by a signed head: someone added them, or a process without the key wrote them`;
}

/** What only a copy outside the log can show. */
function withoutCopy(
  keys: AuditKeys | undefined,
  signed: SignedHead | null,
  keptHead: string | undefined,
): readonly string[] {
  if (keys === undefined)
    return [
      `There is no key in ${auditKeyVariable}, so this check does not notice a log that someone wrote again${
        signed === null ? ', removed, or cut off at its end' : ' or removed together with its last head'
      }.`,
    ];
  if (keptHead !== undefined) return [];
  return [
    'This check does not notice that the log was replaced by an earlier copy together with its signed head. To notice it, pass a head that was saved elsewhere.',
  ];
}

interface Comparison extends Pick<VerifyAuditOptions, 'audit' | 'stores' | 'now'> {
  readonly verifier: ChainVerifier;
  readonly covered: ReturnType<typeof trackCovers>;
}

/** Compares what the log covers with the current state. The value is what could not be compared, one sentence each. */
async function compare({
  verifier: { report },
  covered,
  stores,
  audit,
  now,
}: Comparison): Promise<Result<readonly string[]>> {
  const idsOf = (kind: string) =>
    [...covered.digests.keys()].map(readCoverKey).flatMap((each) => (each.kind === kind ? [each.id] : []));
  const current = new Map<string, string>();
  const present: string[] = [];
  for (const { kinds, digestsOf, present: presentKeys, contradictions } of stores) {
    const digests = await digestsOf(new Map(kinds.map((kind) => [kind, idsOf(kind)])));
    if (!digests.ok) return digests;
    for (const [key, digest] of digests.value) current.set(key, digest);
    const keys = await presentKeys(now - coverWithinMs);
    if (!keys.ok) return keys;
    present.push(...keys.value);
    for (const each of (await contradictions?.()) ?? []) report('not-as-recorded', 0, each);
  }
  // What was written or removed on purpose since the log was read is in its latest records, and is not compared.
  const before = new Map(covered.digests);
  const latest = await audit.latest(latelyCount);
  if (!latest.ok) return failed(...latest.problems);
  for (const { text } of latest.value) {
    const record = parseRecord(text);
    if (record !== undefined) covered.add(record);
  }
  const kinds = new Set<string>(stores.flatMap((store) => store.kinds));
  for (const [key, { digest, seq }] of before) {
    if (!kinds.has(readCoverKey(key).kind) || covered.digests.get(key)?.digest !== digest) continue;
    const actual = current.get(key);
    if (actual === undefined)
      report('not-as-recorded', seq, `${nameOf(key)} was deleted after record ${seq}`);
    else if (actual !== digest)
      report('not-as-recorded', seq, `${nameOf(key)} was changed after record ${seq}`);
  }
  for (const key of present)
    if (!covered.mentioned.has(key))
      report(
        'not-as-recorded',
        0,
        `${nameOf(key)} is in no record: someone added it, or its record could not be written`,
      );
  const open = idsOf('run-start').length;
  const others = [...covered.digests.keys()].filter((key) => !kinds.has(readCoverKey(key).kind)).length;
  return ok([
    ...(open === 0
      ? []
      : [
          `Changes to the journals of ${count(open, 'run')} without a recorded end are not noticed, except to their first record.`,
        ]),
    ...(others === 0
      ? []
      : [
          `Not compared here: ${count(others, 'plan or approval', 'plans and approvals')} of a server. Ask the server to verify its audit log.`,
        ]),
  ]);
}

const latelyCount = 500;

function nameOf(key: string): string {
  const { kind, id } = readCoverKey(key);
  switch (kind) {
    case 'run-start':
    case 'run':
      return `run ${id}`;
    case 'rollout':
      return `rollout ${id}`;
    case 'approval': {
      const [plan, ...by] = id.split('/');
      return `the decision of ${by.join('/')} about plan ${plan}`;
    }
    default:
      return `plan ${id}`;
  }
}
