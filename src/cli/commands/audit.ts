import { printable } from '../../core/lib/printable.ts';
import { printableJson } from '../../core/lib/printable-json.ts';
import { problem } from '../../core/problem/problem.ts';
import { ok, type Result } from '../../core/problem/result.ts';
import { layOut } from '../../output/review/table.ts';
import { type ExitCode, exitCodes } from '../../run/apply/exit-code.ts';
import { type AuditLog, eachRecord } from '../../run/state/audit/audit-log.ts';
import { parseRecord, type StoredRecord } from '../../run/state/audit/chain.ts';
import { type Verification, verifyChain } from '../../run/state/audit/verify-chain.ts';
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
  const records = listed.value.toReversed();
  if (context.settings.format === 'json') context.printJson(records.map(recordDocument));
  else if (records.length === 0) context.print('The audit log is empty.\n');
  else printRecords(context, records);
  return exitCodes.success;
}

/** All records in order, as NDJSON, each with its hash. */
export async function exportAudit(context: Context): Promise<ExitCode> {
  const audit = await openAudit(context);
  if (!audit.ok) return context.fail(audit.problems);
  const read = await eachRecord(audit.value, (stored) =>
    context.print(`${printableJson(JSON.stringify(recordDocument(stored)))}\n`),
  );
  return read.ok ? exitCodes.success : context.fail(read.problems);
}

export interface AuditVerifyFlags {
  /** The hash of a record that was saved elsewhere. */
  readonly head?: string;
}

/** Verifies the chain from its start. */
export async function verifyAudit(context: Context, { head }: AuditVerifyFlags): Promise<ExitCode> {
  const audit = await openAudit(context);
  if (!audit.ok) return context.fail(audit.problems);
  const verifier = verifyChain(head);
  const read = await eachRecord(audit.value, verifier.add);
  if (!read.ok) return context.fail(read.problems);
  const verification = verifier.end();
  if (context.settings.format === 'json') context.printJson(verificationDocument(verification));
  else printVerification(context, verification);
  if (verification.faultCount === 0) return exitCodes.success;
  return context.fail([
    problem(
      'audit-broken',
      `the audit log was changed after it was written: ${faults(verification.faultCount)}`,
      {
        hint: 'compare the log with an export or a backup',
      },
    ),
  ]);
}

async function openAudit(context: Context): Promise<Result<AuditLog>> {
  const state = await context.state.open();
  return state.ok ? ok(state.value.audit) : state;
}

/** A record that can't be parsed is shown as plain text. */
function recordDocument({ hash, text }: StoredRecord) {
  return { hash, record: parseRecord(text) ?? text };
}

function printRecords(context: Context, records: readonly StoredRecord[]): void {
  const { bold } = context.settings.outColor;
  const heading = ['SEQ', 'TIME', 'KIND', 'ACTOR', 'DETAILS'].map((text) => ({ text, paint: bold }));
  const rows = records.map(({ text }) => {
    const record = parseRecord(text);
    if (record === undefined) return ['?', '-', 'unreadable', '-', '-'].map((cell) => ({ text: cell }));
    const { seq, at, kind, origin, what } = record;
    return [String(seq), at, kind, origin.actor, summaryOf(what, origin.reason)].map((cell) => ({
      text: printable(cell),
    }));
  });
  const columns = ['fixed', 'fixed', 'fixed', 'name', 'extra'] as const;
  context.print(
    `${layOut([heading, ...rows], { columns, indent: 0, width: context.io.stdout.columns }).join('\n')}\n`,
  );
}

/** The members with words and numbers, and the reason. */
function summaryOf(what: Readonly<Record<string, unknown>>, reason: string | undefined): string {
  const short = ['run_id', 'exit_code', 'steps'].flatMap((name) =>
    typeof what[name] === 'string' || typeof what[name] === 'number' ? [`${name}=${what[name]}`] : [],
  );
  const { approvals } = what;
  const approved = Object.entries(approvals ?? {}).map(([kind, count]) => `${kind}=${String(count)}`);
  return [...short, ...approved, ...(reason === undefined ? [] : [`"${reason}"`])].join(' ');
}

function verificationDocument({ records, head, faults: found, faultCount }: Verification) {
  return {
    format_version: '1.0',
    intact: faultCount === 0,
    records,
    head,
    fault_count: faultCount,
    faults: found.map(({ kind, seq, message }) => ({ kind, seq, message })),
  };
}

function printVerification(
  context: Context,
  { records, head, faults: found, faultCount }: Verification,
): void {
  for (const { message } of found) context.print(`${message}\n`);
  if (found.length < faultCount) context.print(`… and ${faultCount - found.length} more\n`);
  if (faultCount > 0) return;
  if (head === null) return context.print('The audit log is empty.\n');
  context.print(
    `The audit log is intact: ${records === 1 ? '1 record' : `${records} records`}.\n` +
      `Head: ${head.hash}\n` +
      'Save this hash outside the log. With --head, a later check also detects that records were removed at the end.\n',
  );
}

function faults(count: number): string {
  return count === 1 ? '1 fault' : `${count} faults`;
}
