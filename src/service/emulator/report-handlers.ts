import { exactInteger } from '../../core/lib/exact-json.ts';
import { type EmulatedAnswer, refusal, success } from './answer.ts';
import type { JsonRecord } from './fleet-state.ts';
import { refuseCount, refuseUnknown, sortIds } from './host-ids.ts';
import { type EmulatedReportKind, fieldNames, findField, selectFields } from './inventory-fields.ts';
import { tooManyRequests } from './rate-limit-answer.ts';
import type { StoredReportPage, TokenState } from './report-store.ts';
import type { ActionHandler, Service } from './service.ts';

interface ReportBody {
  readonly hostIds: readonly string[];
  readonly fields?: readonly string[] | null | undefined;
}

export interface ReportHandlers {
  readonly listFields: ActionHandler;
  readonly createReport: ActionHandler<ReportBody>;
  readonly readToken: ActionHandler;
  readonly readReport: ActionHandler;
}

/** Spec section 4: #7 to #10 for hardware, #11 to #14 for system. */
export function reportHandlers(kind: EmulatedReportKind): ReportHandlers {
  return {
    listFields: () => success(JSON.stringify(fieldNames[kind])),

    createReport(service, { body, profile, now }) {
      const { reports, switches } = service;
      const refused = refuseCount(service, body.hostIds, 'hostIds');
      if (refused !== undefined) return refused;
      const fields = body.fields?.map((name) => findField(kind, name));
      if (fields?.includes(undefined) === true) return refusal(400, 'Invalid parameter: fields.');
      const { known, unknown } = sortIds(service, body.hostIds);
      if (unknown.length > 0) return refuseUnknown(service, unknown);
      const { expiresAt } = reports.current({ profile, kind }, now);
      if (expiresAt !== null) return tooManyRequests(switches, expiresAt - now);
      const request = { hostIds: known, fields: fields as readonly string[] | undefined };
      return success(JSON.stringify(toWire(reports.create({ profile, kind }, request, now))), 201);
    },

    readToken: ({ reports }, { profile, now }) =>
      success(JSON.stringify(toWire(reports.current({ profile, kind }, now)))),

    readReport(service, { parameters, profile, now, isHead }) {
      const use = isHead ? 'look' : 'hand-out';
      const page = service.reports.read({ profile, kind }, parameters['report-token'] ?? '', now, use);
      return page === undefined ? refusal(404, 'The report was not found.') : pageAnswer(service, kind, page);
    },
  };
}

function pageAnswer({ store }: Service, kind: EmulatedReportKind, page: StoredReportPage): EmulatedAnswer {
  const records: [string, unknown][] = [];
  for (const id of page.hostIds) {
    const record: JsonRecord | undefined = store.host(id)?.inventory?.[kind];
    if (record === undefined) continue;
    const shown = page.fields === undefined ? record : selectFields(record, page.fields);
    records.push([id, { hostId: exactInteger(id), ...shown }]);
  }
  return success(JSON.stringify({ report: toWire(page), hosts: Object.fromEntries(records) }));
}

function toWire({ token, expiresAt }: TokenState): {
  readonly token: string | null;
  readonly expires: string | null;
} {
  return { token, expires: expiresAt === null ? null : expiresText(expiresAt) };
}

/** `2018-11-05 11:35:43Z`, rounded up to the second. */
function expiresText(ms: number): string {
  const whole = new Date(Math.ceil(ms / 1000) * 1000).toISOString();
  return `${whole.slice(0, 10)} ${whole.slice(11, 19)}Z`;
}
