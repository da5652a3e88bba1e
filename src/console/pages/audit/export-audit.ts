import type { AuditRow } from '../../../api/settings.ts';
import { spreadsheetText } from '../../../core/lib/spreadsheet-text.ts';

export const exportForms = ['jsonl', 'csv'] as const;
export type ExportForm = (typeof exportForms)[number];

const columns = ['seq', 'at', 'kind', 'account', 'by', 'text', 'hash', 'what'] as const;

/** The first line of the file; empty for JSON lines. */
export function exportHead(form: ExportForm): string {
  return form === 'csv' ? `${columns.join(',')}\r\n` : '';
}

/** Records as lines of a file. Members are never left out, so that the file proves what the page showed. */
export function exportLines(form: ExportForm, rows: readonly AuditRow[]): string {
  if (form === 'jsonl') return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  return rows
    .map((row) => `${columns.map((column) => csvField(textOf(row[column]))).join(',')}\r\n`)
    .join('');
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function csvField(text: string): string {
  const safe = spreadsheetText(text);
  return /[",;]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
