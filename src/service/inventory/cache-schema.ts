import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { cacheHint } from './cache-failure.ts';

/** `PRAGMA user_version` of the files that this code reads and writes. */
const cacheVersion = 1;

/**
 * `fields` is a JSON array of field names, or null for all. A null record means that the host has no inventory. Times
 * are milliseconds since the epoch; host ids are decimal texts.
 */
const tables = `
  CREATE TABLE host (id TEXT PRIMARY KEY, name TEXT) STRICT, WITHOUT ROWID;
  CREATE TABLE record (
    kind TEXT NOT NULL,
    host_id TEXT NOT NULL,
    fetched_at INTEGER NOT NULL,
    fields TEXT,
    record TEXT,
    PRIMARY KEY (kind, host_id)
  ) STRICT;
  CREATE TABLE open_report (
    kind TEXT PRIMARY KEY,
    token TEXT NOT NULL,
    expires TEXT,
    asked TEXT NOT NULL,
    fields TEXT,
    pages INTEGER NOT NULL,
    lease_until INTEGER NOT NULL,
    holder TEXT
  ) STRICT;
  CREATE TABLE report_size (
    kind TEXT PRIMARY KEY,
    capacity INTEGER,
    ask INTEGER NOT NULL,
    carries_more INTEGER NOT NULL,
    learnt_at INTEGER NOT NULL
  ) STRICT;
`;

/** How long to wait for another process that is writing, in milliseconds. */
const busyMs = 15_000;

/**
 * Opens the file, or creates it with access for its owner only. A file of a later version is a problem. Throws SQLite's
 * errors.
 */
export function openDatabase(path: string): DatabaseSync | Problem {
  closeSync(openSync(path, 'a', 0o600));
  const database = new DatabaseSync(path, { timeout: busyMs });
  try {
    if (versionOf(database) === 0) makeTables(database);
    const version = versionOf(database);
    // A commit need not reach the disk immediately: a crash of the machine loses the last pages, but the file stays
    // consistent.
    database.exec('PRAGMA synchronous = NORMAL');
    if (version === cacheVersion) return database;
    database.close();
    return problem(
      'inventory-cache',
      `the inventory cache ${path} has version ${version}; this version of Rampart reads ${cacheVersion}`,
      { hint: `use a newer Rampart, or create a new cache: ${cacheHint(path)}` },
    );
  } catch (error) {
    if (database.isOpen) database.close();
    throw error;
  }
}

/** A database in memory, for an inventory that is not in a file. */
export function openMemory(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  makeTables(database);
  return database;
}

/** If two processes create the same file at the same time, the second one finds the tables. */
function makeTables(database: DatabaseSync): void {
  database.exec('PRAGMA journal_mode = WAL');
  database.exec('BEGIN IMMEDIATE');
  if (versionOf(database) === 0) database.exec(`${tables}; PRAGMA user_version = ${cacheVersion}`);
  database.exec('COMMIT');
}

function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}
