import type { z } from 'zod';
import type { AccountConfig } from '../../../accounts/config/account-config.ts';
import { isVisible, type Visible } from '../../../api/access/grants.ts';
import { pageOf } from '../../../api/resource.ts';
import {
  type AuditRow,
  auditChoices,
  auditExportQuery,
  auditQuery,
  auditRow,
  auditVerification,
  auditVerifyQuery,
} from '../../../api/settings.ts';
import { failed, ok, type Result } from '../../../core/problem/problem.ts';
import type { AuditLog } from '../../../run/state/audit/audit-log.ts';
import type { AuditRecord } from '../../../run/state/audit/audit-record.ts';
import { parseRecord, type StoredRecord } from '../../../run/state/audit/chain.ts';
import { verifyAudit } from '../../../run/state/audit/verify-audit.ts';
import { coveredState } from '../../../run/state/covered-state.ts';
import { badCursor } from '../../database/page.ts';
import { type HttpParts, route } from '../../http/route.ts';
import { toService } from '../../settings/configured-account.ts';
import { recordText } from '../rules/record-text.ts';
import { exportAnswer } from './export-audit.ts';

/** Records that one request looks through. A filter that matches few gets a short page and a cursor. */
const mostSearched = 5_000;

export const auditRoutes = [
  route({
    id: 'listAudit',
    method: 'get',
    path: '/api/v1/audit',
    tag: 'Audit',
    summary: 'List what people, programs and runs did, latest first.',
    access: { action: 'read-audit', on: 'accounts' },
    query: auditQuery,
    answer: pageOf(auditRow),
    handle: ({ query, visible, parts }) => listAudit(parts, visible, query),
  }),
  route({
    id: 'exportAudit',
    method: 'get',
    path: '/api/v1/audit/export',
    tag: 'Audit',
    summary: 'Download all records that match, as JSON lines or CSV.',
    access: { action: 'read-audit', on: 'accounts' },
    query: auditExportQuery,
    answer: auditRow,
    media: 'application/x-ndjson',
    handle: ({ query: { format, ...filters }, visible, parts }) =>
      exportAnswer(format, (cursor) => listAudit(parts, visible, { ...filters, cursor, limit: 500 })),
  }),
  route({
    id: 'listAuditChoices',
    method: 'get',
    path: '/api/v1/audit/choices',
    tag: 'Audit',
    summary: 'List the kinds and the people of the latest 5,000 records.',
    access: { action: 'read-audit', on: 'accounts' },
    answer: auditChoices,
    async handle({ visible, parts: { state, settings } }) {
      const newest = await state.audit.latest(1);
      if (!newest.ok) return newest;
      const read = await recordsBefore(state.audit, seqOf(newest.value[0]) + 1);
      if (!read.ok) return read;
      const rows = read.value
        .flatMap((stored) => toAuditRow(stored, settings.accounts) ?? [])
        .filter((row) => isShown(row, visible));
      const sorted = (values: readonly string[]) => [...new Set(values)].sort();
      return ok({ kinds: sorted(rows.map(({ kind }) => kind)), people: sorted(rows.map(({ by }) => by)) });
    },
  }),
  route({
    id: 'verifyAudit',
    method: 'get',
    path: '/api/v1/audit/verify',
    tag: 'Audit',
    summary:
      'Check the chain and the signature of the audit log, and the runs, plans and approvals that it covers.',
    access: { action: 'read-audit', on: 'server' },
    query: auditVerifyQuery,
    answer: auditVerification,
    volatile: ['at'],
    async handle({ query: { head }, parts: { state, store, clock } }) {
      const verified = await verifyAudit({
        audit: state.audit,
        stores: [coveredState(state), store.covered],
        keptHead: head,
        now: clock.now(),
      });
      if (!verified.ok) return verified;
      const { verdict, records, head: last, signedHead, faults, faultCount, unnoticed } = verified.value;
      return ok({
        verdict,
        records,
        head: last,
        signed_head: signedHead,
        fault_count: faultCount,
        faults,
        unnoticed,
        at: new Date(clock.now()).toISOString(),
      });
    },
  }),
];

async function listAudit(
  { state, settings }: Pick<HttpParts, 'state' | 'settings'>,
  visible: Visible,
  query: z.output<typeof auditQuery>,
): Promise<Result<{ items: AuditRow[]; next?: string }>> {
  const { cursor, limit } = query;
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) return failed(badCursor);
  const newest = await state.audit.latest(1);
  if (!newest.ok) return newest;
  const lastSeq = seqOf(newest.value[0]);
  const before = cursor === undefined ? lastSeq + 1 : Number(cursor);
  const read = await recordsBefore(state.audit, Math.min(before, lastSeq + 1));
  if (!read.ok) return read;
  const searched = read.value;
  const items: AuditRow[] = [];
  let at = before;
  for (const stored of searched) {
    if (items.length === limit) break;
    at = seqOf(stored);
    const row = toAuditRow(stored, settings.accounts);
    if (row !== undefined && isShown(row, visible) && matches(row, query)) items.push(row);
  }
  return ok({ items, ...(at > 1 && searched.length > 0 ? { next: String(at) } : {}) });
}

/** Latest first. A page far back reads as much as the first one, because nobody may make the server read all at once. */
async function recordsBefore(audit: AuditLog, before: number): Promise<Result<readonly StoredRecord[]>> {
  const found: StoredRecord[] = [];
  let from: number | null = Math.max(0, before - 1 - mostSearched);
  while (from !== null && from < before - 1) {
    const page: Awaited<ReturnType<AuditLog['page']>> = await audit.page(from);
    if (!page.ok) return page;
    found.push(...page.value.records.filter((each) => seqOf(each) < before));
    from = page.value.next;
  }
  return ok(found.toReversed());
}

function seqOf(stored: StoredRecord | undefined): number {
  return (stored === undefined ? undefined : parseRecord(stored.text)?.seq) ?? 0;
}

function toAuditRow({ hash, text }: StoredRecord, accounts: readonly AccountConfig[]): AuditRow | undefined {
  const record = parseRecord(text);
  if (record === undefined) return undefined;
  const { seq, at, kind, origin, what } = record;
  return {
    seq,
    at: new Date(at).toISOString(),
    kind,
    account: accountOf(record, accounts),
    by: origin.actor,
    text: recordText(record),
    what,
    hash,
  };
}

/** Acts of the server contain the account; runs contain the company ID and the service. */
function accountOf({ what }: AuditRecord, accounts: readonly AccountConfig[]): string | null {
  const { account } = what;
  if (typeof account === 'string') return account;
  if (typeof account !== 'object' || account === null) return null;
  const { company_id: companyId, service } = account as {
    readonly company_id?: unknown;
    readonly service?: unknown;
  };
  const matching = accounts.filter(
    (each) =>
      each.companyId !== undefined &&
      each.companyId === companyId &&
      (each.baseUrl === undefined || toService(each, {}) === service),
  );
  // Two services may use one company ID. A record that could belong to either is shown only to those who see all.
  return matching.length === 1 ? (matching[0]?.name ?? null) : null;
}

/** Records of no account, such as logins and tokens, are shown to those who may see all accounts. */
function isShown({ account }: AuditRow, visible: Visible): boolean {
  return account === null ? visible === 'all' : isVisible(visible, account);
}

function matches(row: AuditRow, { q, kind, account, by, from, to }: z.output<typeof auditQuery>): boolean {
  const text = q?.toLowerCase();
  const at = Date.parse(row.at);
  return (
    (kind === undefined || row.kind === kind) &&
    (account === undefined || row.account === account) &&
    (by === undefined || row.by === by) &&
    (from === undefined || at >= Date.parse(from)) &&
    (to === undefined || at < Date.parse(to)) &&
    (text === undefined ||
      `${row.kind.replaceAll('-', ' ')} ${row.text} ${row.by} ${JSON.stringify(row.what)}`
        .toLowerCase()
        .includes(text))
  );
}
