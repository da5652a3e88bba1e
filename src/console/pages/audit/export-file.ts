import type { AuditRow } from '../../../api/settings.ts';
import { type Answer, type Query, read } from '../../data/api.ts';
import type { PageBody } from '../../data/page-store.ts';
import { type ExportForm, exportHead, exportLines } from './export-audit.ts';

const limit = 500;

/** Reads every record that matches, page by page. Only the text of the file is kept. */
export async function readExport(
  form: ExportForm,
  query: Query,
  onProgress: (records: number) => void,
  signal: AbortSignal,
): Promise<Answer<{ readonly file: Blob; readonly records: number }>> {
  const parts = [exportHead(form)];
  let records = 0;
  let cursor: string | null | undefined = null;
  while (cursor !== undefined) {
    const answer: Answer<PageBody<AuditRow>> = await read<PageBody<AuditRow>>(
      '/audit',
      { ...query, limit, cursor },
      signal,
    );
    if (!answer.ok) return answer;
    parts.push(exportLines(form, answer.value.items));
    records += answer.value.items.length;
    onProgress(records);
    cursor = answer.value.next;
  }
  const type = form === 'csv' ? 'text/csv' : 'application/x-ndjson';
  return { ok: true, value: { file: new Blob(parts, { type }), records }, etag: null };
}

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
