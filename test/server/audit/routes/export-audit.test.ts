import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import type { AuditRow } from '../../../../src/api/settings.ts';
import { printable } from '../../../../src/core/lib/printable.ts';
import { failed, ok, problem } from '../../../../src/core/problem/problem.ts';
import { exportAnswer } from '../../../../src/server/audit/routes/export-audit.ts';
import { givenAudit } from '../../../given/console/settings.ts';
import { hostileNames } from '../../../given/hostile-names.ts';

describe('an export of the audit log', () => {
  const rows = hostileNames.map((text, index) => ({
    ...(givenAudit(1, index + 1)[0] as AuditRow),
    text,
    by: text,
  }));

  const fileOf = async (form: 'jsonl' | 'csv', items: readonly AuditRow[]) =>
    (await exportAnswer(form, async () => ok({ items }))).text();

  it('returns every record from JSON lines', async () => {
    const lines = (await fileOf('jsonl', rows)).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
  });

  it('returns every text from CSV, and no cell is a formula, whatever the separator', async () => {
    const formulas = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\uff1d1', 'x;=1', 'x\r\n=1', '";=1'].map(
      (text) => ({
        ...(rows[0] as AuditRow),
        text,
      }),
    );
    const all = [...rows, ...formulas];
    const csv = await fileOf('csv', all);
    const cells: readonly { text: string }[] = parse(csv, { columns: true });
    expect(cells).toHaveLength(all.length);
    expect(csv.trimEnd().split('\r\n')).toHaveLength(all.length + 1);
    for (const [at, { text }] of cells.entries()) {
      expect(text.replace(/^'(?=[=+\-@\uff1d])/, '')).toBe(
        printable(all[at]?.text ?? '').replaceAll(';=', ";'="),
      );
      expect(text).not.toMatch(/^[=+\-@\uff1d]/);
    }
    const split = parse(csv, { delimiter: ';', relax_column_count: true, relax_quotes: true });
    for (const cell of split.flat()) expect(cell).not.toMatch(/^[=+\-@\uff1d]/);
  });

  it('is one file of all pages, and a page that fails breaks the download', async () => {
    const pages = [rows.slice(0, 2), rows.slice(2, 3)];
    const whole = await exportAnswer('jsonl', async (cursor) => {
      const at = Number(cursor ?? 0);
      return ok({ items: pages[at] ?? [], ...(at === 0 ? { next: '1' } : {}) });
    });
    expect(whole.headers.get('content-disposition')).toBe('attachment; filename="rampart-audit.jsonl"');
    expect(await whole.text()).toBe(await fileOf('jsonl', rows.slice(0, 3)));
    const away = failed(problem('state', 'the database is away'));
    const broken = await exportAnswer('csv', async (cursor) =>
      cursor === undefined ? ok({ items: pages[0] ?? [], next: '1' }) : away,
    );
    await expect(broken.text()).rejects.toThrow('the database is away');
    expect((await exportAnswer('csv', async () => away)).status).toBe(503);
  });
});
