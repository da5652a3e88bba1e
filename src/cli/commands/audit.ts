import { jsonText, printable } from '../../core/lib/printable.ts';
import { count } from '../../core/lib/words.ts';
import { ok, problem, type Result } from '../../core/problem/problem.ts';
import type { Column } from '../../output/review/columns.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { readAuditKeys } from '../../run/state/audit/audit-keys.ts';
import { type AuditLog, eachRecord } from '../../run/state/audit/audit-log.ts';
import { parseRecord, type StoredRecord } from '../../run/state/audit/chain.ts';
import { type AuditVerification, verifyAudit as verifyAuditLog } from '../../run/state/audit/verify-audit.ts';
import { coveredState } from '../../run/state/covered-state.ts';
import { printListing, printResult } from '../listing/print-listing.ts';
import type { Context } from '../shell/context.ts';

export interface AuditListFlags {
  readonly limit?: number;
  readonly all?: true;
}

const usualLimit = 50;

/** The latest records, latest first. */
export async function listAudit(context: Context, { limit, all }: AuditListFlags): Promise<ExitCode> {
  const audit = await openAudit(context);
  if (!audit.ok) return context.fail(audit.problems);
  const listed = await audit.value.latest(all === true ? Number.MAX_SAFE_INTEGER : (limit ?? usualLimit));
  if (!listed.ok) return context.fail(listed.problems);
  const records = listed.value.toReversed().map((each) => ({ ...each, parsed: parseRecord(each.text) }));
  return printListing(context, records, columns, {
    document: recordDocument,
    empty: 'The audit log is empty.\n',
  });
}

/** All records in order, as NDJSON, each with its hash. */
export async function exportAudit(context: Context): Promise<ExitCode> {
  const audit = await openAudit(context);
  if (!audit.ok) return context.fail(audit.problems);
  const read = await eachRecord(audit.value, (stored) =>
    context.print(`${jsonText(recordDocument(stored))}\n`),
  );
  return read.ok ? exitCodes.success : context.fail(read.problems);
}

export interface AuditVerifyFlags {
  /** The hash of a record that was saved elsewhere. */
  readonly head?: string;
  /** A file with the keys whose signatures are accepted; if absent, that of the environment. */
  readonly publicKey?: string;
}

/** Verifies the chain from its start, its signature, and the runs that it covers. */
export async function verifyAuditCommand(
  context: Context,
  { head, publicKey }: AuditVerifyFlags,
): Promise<ExitCode> {
  const given = publicKey === undefined ? ok(undefined) : readAuditKeys(context.path(publicKey), publicKey);
  if (!given.ok) return context.fail(given.problems);
  const state = await context.state.open();
  if (!state.ok) return context.fail(state.problems);
  const verified = await verifyAuditLog({
    audit: state.value.audit,
    keys: given.value,
    stores: [coveredState(state.value)],
    keptHead: head,
    now: context.io.clock.now(),
  });
  if (!verified.ok) return context.fail(verified.problems);
  const verification = verified.value;
  printResult(context, verificationDocument(verification), () => verificationText(verification));
  if (verification.verdict !== 'broken') return exitCodes.success;
  return context.fail([
    problem('audit-broken', `the audit log was altered: ${count(verification.faultCount, 'fault')}`, {
      hint: 'compare the log with an export or a backup',
    }),
  ]);
}

async function openAudit(context: Context): Promise<Result<AuditLog>> {
  const state = await context.state.open();
  return state.ok ? ok(state.value.audit) : state;
}

/** A record that can't be parsed is shown as plain text. */
function recordDocument({ hash, text, parsed = parseRecord(text) }: StoredRecord & Partial<ListedRecord>) {
  return { hash, record: parsed ?? text };
}

interface ListedRecord extends StoredRecord {
  readonly parsed: ReturnType<typeof parseRecord>;
}

const columns: readonly Column<ListedRecord>[] = [
  { key: 'seq', kind: 'fixed', value: ({ parsed }) => parsed?.seq ?? '?' },
  { key: 'time', kind: 'fixed', value: ({ parsed }) => parsed?.at ?? null },
  { key: 'kind', kind: 'fixed', value: ({ parsed }) => parsed?.kind ?? 'unreadable' },
  { key: 'actor', kind: 'name', value: ({ parsed }) => parsed?.origin.actor ?? null },
  {
    key: 'details',
    kind: 'extra',
    value: ({ parsed }) => (parsed === undefined ? null : summaryOf(parsed.what, parsed.origin.reason)),
  },
];

/** The members with words and numbers, and the reason. */
function summaryOf(what: Readonly<Record<string, unknown>>, reason: string | undefined): string {
  const short = ['run_id', 'exit_code', 'steps'].flatMap((name) =>
    typeof what[name] === 'string' || typeof what[name] === 'number' ? [`${name}=${what[name]}`] : [],
  );
  const { approvals } = what;
  const approved = Object.entries(approvals ?? {}).map(([kind, count]) => `${kind}=${String(count)}`);
  return [...short, ...approved, ...(reason === undefined ? [] : [`"${reason}"`])].join(' ');
}

function verificationDocument({
  verdict,
  records,
  head,
  signedHead,
  faults: found,
  faultCount,
  unnoticed,
}: AuditVerification) {
  return {
    format_version: '2.0',
    verdict,
    records,
    head,
    signed_head: signedHead,
    fault_count: faultCount,
    faults: found.map(({ kind, seq, message }) => ({ kind, seq, message })),
    unnoticed,
  };
}

/** The faults, or what was verified; then what this check can't notice. */
function verificationText({
  verdict,
  records,
  head,
  signedHead,
  faults: found,
  faultCount,
  unnoticed,
}: AuditVerification): string {
  const more = faultCount - found.length;
  const lines = [
    ...found.map(({ message }) => message),
    ...(more === 0 ? [] : [`… and ${more} more`]),
    ...(verdict === 'broken' ? [] : [verdictWords(verdict, records, signedHead)]),
    ...(head === null || verdict === 'broken' ? [] : [`Head: ${head.hash}`]),
    ...unnoticed,
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function verdictWords(
  verdict: AuditVerification['verdict'],
  records: number,
  signed: AuditVerification['signedHead'],
): string {
  const counted = count(records, 'record');
  if (verdict === 'intact' && signed !== null)
    return `The audit log is intact: ${counted}, signed up to record ${signed.seq} at ${signed.at}.`;
  return records === 0
    ? 'The audit log is empty, and not signed.'
    : `The audit log has no visible fault in ${counted}, but its signature was not verified.`;
}
