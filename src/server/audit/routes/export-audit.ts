import type { AuditRow } from '../../../api/settings.ts';
import { spreadsheetText } from '../../../core/lib/spreadsheet-text.ts';
import type { Result } from '../../../core/problem/problem.ts';
import { problemAnswer } from '../../http/problem-answer.ts';

export type ExportForm = 'jsonl' | 'csv';

interface AuditPage {
  readonly items: readonly AuditRow[];
  readonly next?: string;
}

const columns = ['seq', 'at', 'kind', 'account', 'by', 'text', 'hash', 'what'] as const;
const media: Readonly<Record<ExportForm, string>> = { jsonl: 'application/x-ndjson', csv: 'text/csv' };

/** The first line of the file; empty for JSON lines. */
function exportHead(form: ExportForm): string {
  return form === 'csv' ? `${columns.join(',')}\r\n` : '';
}

/** Records as lines of a file. Fields are never left out, so that the file proves what a page showed. */
function exportLines(form: ExportForm, rows: readonly AuditRow[]): string {
  if (form === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return rows
    .map((row) => `${columns.map((column) => csvField(textOf(row[column]))).join(',')}\r\n`)
    .join('');
}

/** All pages as one file, produced as fast as the reader consumes them. A page that fails breaks the download. */
export async function exportAnswer(
  form: ExportForm,
  read: (cursor: string | undefined) => Promise<Result<AuditPage>>,
): Promise<Response> {
  const first = await read(undefined);
  if (!first.ok) return problemAnswer(first.problems);
  let page: AuditPage | null = first.value;
  const encoder = new TextEncoder();
  const stream = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(exportHead(form))),
    async pull(controller) {
      if (page === null) return controller.close();
      controller.enqueue(encoder.encode(exportLines(form, page.items)));
      if (page.next === undefined) {
        page = null;
        return;
      }
      const next = await read(page.next);
      if (next.ok) page = next.value;
      else controller.error(new Error(next.problems[0]?.message));
    },
  });
  return new Response(stream, {
    headers: {
      'content-type': `${media[form]}; charset=utf-8`,
      'content-disposition': `attachment; filename="rampart-audit.${form}"`,
      'cache-control': 'no-store',
    },
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function csvField(text: string): string {
  const safe = spreadsheetText(text);
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
