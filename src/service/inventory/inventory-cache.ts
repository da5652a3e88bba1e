import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { type InventoryKind, inventoryKinds } from '../../core/model/facts.ts';
import type { HostId } from '../../core/model/observed.ts';
import type { ReportSize } from './report-size.ts';
import { readStoredFields, type StoredFields, writeFields } from './stored-fields.ts';

/** The state of one host's inventory, without the record itself. */
export interface RecordState {
  readonly hostId: HostId;
  /** When the service was asked, in milliseconds since the epoch. */
  readonly at: number;
  readonly fields: StoredFields;
  /** The host has no inventory. */
  readonly isAbsent: boolean;
}

export interface CachedRecord extends RecordState {
  /** As JSON; null if the host has no inventory. */
  readonly json: string | null;
}

/** A report that was made but not yet read to its end. */
export interface OpenReport {
  readonly token: string;
  readonly expires: string | null;
  readonly asked: readonly HostId[];
  readonly fields: StoredFields;
  /** The number of pages read. */
  readonly pages: number;
  /** The end of the reading process's lease, in milliseconds since the epoch. */
  readonly leaseUntil: number;
  /** The process that reads it, if known. */
  readonly holder?: string;
}

/** The learned size of a report. */
export interface StoredSize extends ReportSize {
  readonly learnedAt: number;
}

export interface Arrival {
  readonly at: number;
  readonly fields: StoredFields;
  /** Records as JSON by host. */
  readonly records: ReadonlyMap<HostId, string>;
  /** The token for the next page; null: the report has been read. */
  readonly token: string | null;
  readonly leaseUntil: number;
}

/** A whole cache, except for reports that are being read. */
export interface CacheContents {
  readonly names: ReadonlyMap<HostId, string | null>;
  readonly records: readonly (CachedRecord & { readonly kind: InventoryKind })[];
  readonly sizes: readonly (StoredSize & { readonly kind: InventoryKind })[];
}

/** The inventory of one account on disk. Every method is one transaction, and throws SQLite's errors. */
export class InventoryCache {
  readonly #database: DatabaseSync;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  states(kind: InventoryKind): ReadonlyMap<HostId, RecordState> {
    const rows = this.#all(
      'SELECT host_id, fetched_at, fields, record IS NULL AS absent FROM record WHERE kind = ?',
      kind,
    );
    return new Map(rows.map((row) => [row['host_id'] as HostId, toState(row)]));
  }

  records(kind: InventoryKind): readonly CachedRecord[] {
    return this.#all(
      'SELECT host_id, fetched_at, fields, record, record IS NULL AS absent FROM record WHERE kind = ? ORDER BY rowid',
      kind,
    ).map(toRecord);
  }

  record(kind: InventoryKind, id: HostId): CachedRecord | undefined {
    return this.#all(
      'SELECT host_id, fetched_at, fields, record, record IS NULL AS absent FROM record WHERE kind = ? AND host_id = ?',
      kind,
      id,
    ).map(toRecord)[0];
  }

  names(): ReadonlyMap<HostId, string | null> {
    const rows = this.#all('SELECT id, name FROM host');
    return new Map(rows.map((row) => [row['id'] as HostId, row['name'] as string | null]));
  }

  rememberNames(names: ReadonlyMap<HostId, string | null>): void {
    const put = this.#database.prepare(
      'INSERT INTO host (id, name) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name',
    );
    this.#transaction(() => {
      for (const [id, name] of names) put.run(id, name);
    });
  }

  /** Deletes hosts that the account no longer has, if their inventory is older than `before`. */
  forgetOthers(names: ReadonlyMap<HostId, string | null>, before: number): void {
    const forget = this.#database.prepare('DELETE FROM record WHERE host_id = ? AND fetched_at <= ?');
    const forgetName = this.#database.prepare(
      'DELETE FROM host WHERE id = ? AND id NOT IN (SELECT host_id FROM record)',
    );
    const known = new Set([
      ...this.names().keys(),
      ...this.#all('SELECT DISTINCT host_id FROM record').map((row) => row['host_id'] as HostId),
    ]);
    this.#transaction(() => {
      for (const id of known) {
        if (names.has(id)) continue;
        forget.run(id, before);
        forgetName.run(id);
      }
    });
  }

  openReport(kind: InventoryKind): OpenReport | undefined {
    return this.#all('SELECT * FROM open_report WHERE kind = ?', kind).map(toOpenReport)[0];
  }

  beginReport(kind: InventoryKind, report: Omit<OpenReport, 'pages'>): void {
    this.#run(
      `INSERT OR REPLACE INTO open_report (kind, token, expires, asked, fields, pages, lease_until, holder)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?)`,
      kind,
      report.token,
      report.expires,
      JSON.stringify(report.asked),
      writeFields(report.fields),
      report.leaseUntil,
      report.holder ?? null,
    );
  }

  /** Takes over a report whose lease has ended by then. False if another process is reading it, or was faster. */
  claimReport(
    kind: InventoryKind,
    endedBy: number,
    { leaseUntil, holder }: Pick<OpenReport, 'leaseUntil' | 'holder'>,
  ): boolean {
    return (
      this.#run(
        'UPDATE open_report SET lease_until = ?, holder = ? WHERE kind = ? AND lease_until <= ?',
        leaseUntil,
        holder ?? null,
        kind,
        endedBy,
      ) === 1
    );
  }

  /** Extends this process's lease on its report until this time; 0 releases it. */
  leaseReport(kind: InventoryKind, leaseUntil: number): void {
    this.#run('UPDATE open_report SET lease_until = ? WHERE kind = ?', leaseUntil, kind);
  }

  /** Saves a page of the open report. */
  savePage(kind: InventoryKind, page: Arrival): void {
    const put = this.#put();
    this.#transaction(() => {
      for (const [id, json] of page.records) put(kind, id, page.at, writeFields(page.fields), json);
      this.#run(
        'UPDATE open_report SET token = coalesce(?, token), pages = pages + 1, lease_until = ? WHERE kind = ?',
        page.token,
        page.leaseUntil,
        kind,
      );
    });
  }

  /** Ends the report; these hosts of it have no inventory. */
  endReport(
    kind: InventoryKind,
    absent: { readonly hosts: readonly HostId[]; readonly fields: StoredFields; readonly at: number },
  ): void {
    const put = this.#put();
    this.#transaction(() => {
      for (const id of absent.hosts) put(kind, id, absent.at, writeFields(absent.fields), null);
      this.#run('DELETE FROM open_report WHERE kind = ?', kind);
    });
  }

  size(kind: InventoryKind): StoredSize | undefined {
    return this.#all('SELECT * FROM report_size WHERE kind = ?', kind).map((row) => ({
      capacity: row['capacity'] as number | null,
      ask: row['ask'] as number,
      carriesMore: row['carries_more'] === 1,
      learnedAt: row['learnt_at'] as number,
    }))[0];
  }

  saveSize(kind: InventoryKind, { capacity, ask, carriesMore, learnedAt }: StoredSize): void {
    this.#run(
      'INSERT OR REPLACE INTO report_size (kind, capacity, ask, carries_more, learnt_at) VALUES (?, ?, ?, ?, ?)',
      kind,
      capacity,
      ask,
      carriesMore ? 1 : 0,
      learnedAt,
    );
  }

  contents(): CacheContents {
    return {
      names: this.names(),
      records: inventoryKinds.flatMap((kind) => this.records(kind).map((each) => ({ ...each, kind }))),
      sizes: inventoryKinds.flatMap((kind) => {
        const size = this.size(kind);
        return size === undefined ? [] : [{ ...size, kind }];
      }),
    };
  }

  /** Adds the contents of another cache. Of two records of a host, the newer one is kept. */
  add(contents: CacheContents): void {
    this.#transaction(() => this.#add(contents));
  }

  /** Replaces everything except for reports that are being read. */
  replace(contents: CacheContents): void {
    this.#transaction(() => {
      for (const table of ['host', 'record', 'report_size']) this.#run(`DELETE FROM ${table}`);
      this.#add(contents);
    });
  }

  #add({ names, records, sizes }: CacheContents): void {
    const put = this.#put('WHERE excluded.fetched_at > record.fetched_at');
    const name = this.#database.prepare('INSERT OR IGNORE INTO host (id, name) VALUES (?, ?)');
    for (const [id, text] of names) name.run(id, text);
    for (const { kind, hostId, at, fields, json } of records)
      put(kind, hostId, at, writeFields(fields), json);
    for (const { kind, ...size } of sizes) {
      const known = this.size(kind);
      if (known === undefined || known.learnedAt < size.learnedAt) this.saveSize(kind, size);
    }
  }

  #put(condition = '') {
    const statement = this.#database.prepare(
      `INSERT INTO record (kind, host_id, fetched_at, fields, record) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (kind, host_id) DO UPDATE
       SET fetched_at = excluded.fetched_at, fields = excluded.fields, record = excluded.record ${condition}`,
    );
    return (...values: readonly SQLInputValue[]) => statement.run(...values);
  }

  #all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#database.prepare(sql).all(...values);
  }

  #run(sql: string, ...values: readonly SQLInputValue[]): number {
    return Number(this.#database.prepare(sql).run(...values).changes);
  }

  #transaction(work: () => void): void {
    this.#database.exec('BEGIN IMMEDIATE');
    try {
      work();
      this.#database.exec('COMMIT');
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }
}

type Row = Readonly<Record<string, unknown>>;

function toState(row: Row): RecordState {
  return {
    hostId: row['host_id'] as HostId,
    at: row['fetched_at'] as number,
    fields: readStoredFields(row['fields'] as string | null),
    isAbsent: row['absent'] === 1,
  };
}

function toRecord(row: Row): CachedRecord {
  return { ...toState(row), json: row['record'] as string | null };
}

function toOpenReport(row: Row): OpenReport {
  return {
    token: row['token'] as string,
    expires: row['expires'] as string | null,
    asked: JSON.parse(row['asked'] as string) as readonly HostId[],
    fields: readStoredFields(row['fields'] as string | null),
    pages: row['pages'] as number,
    leaseUntil: row['lease_until'] as number,
    ...(row['holder'] === null ? {} : { holder: row['holder'] as string }),
  };
}
