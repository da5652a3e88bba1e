import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync } from 'node:zlib';
import type { PGlite, PGliteOptions } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPglite } from '../../../src/server/database/open-pglite.ts';

describe('opening the files of the embedded database', () => {
  const root = mkdtempSync(join(tmpdir(), 'rampart-open-'));
  const archive = join(root, 'archive');
  beforeAll(() => writeFileSync(archive, brotliCompressSync('an archive')));
  afterAll(() => rmSync(root, { recursive: true }));

  /** Opens it with a creator that fails to read archives if `isRefused`, and records what it is called with. */
  async function calls(folder: string | undefined, file = archive, isRefused = false) {
    const made: object[] = [];
    const pglite = {} as PGlite;
    const create = async ({ dataDir, extensions, parsers, loadDataDir }: PGliteOptions) => {
      const parts = { extensions: Object.keys(extensions ?? {}), number: parsers?.[20]?.('9') };
      const isThere = folder !== undefined && existsSync(folder);
      made.push({ dataDir, ...parts, isThere, archive: await loadDataDir?.text() });
      if (folder !== undefined) mkdirSync(folder, { recursive: true });
      if (isRefused && loadDataDir !== undefined) throw new Error('damaged');
      return pglite;
    };
    expect(await openPglite(folder, pathToFileURL(file), create)).toBe(pglite);
    return made;
  }

  const options = { extensions: ['pg_trgm'], number: '9', isThere: false, archive: undefined };
  const unpacked = { ...options, archive: 'an archive' };

  it.each([
    ['unpacks the archive in memory', undefined, archive, false, [unpacked]],
    ['unpacks the archive into a new folder', 'new', archive, false, [unpacked]],
    ['uses the files that a folder already has', '.', archive, false, [{ ...options, isThere: true }]],
    ['creates the files if there is no archive', 'built', join(root, 'none'), false, [options]],
    ['creates the files in memory if the archive is damaged', undefined, archive, true, [unpacked, options]],
    ['removes what it unpacked of a damaged archive', 'damaged', archive, true, [unpacked, options]],
  ])('%s', async (_what, name, file, isRefused, expected) => {
    const dataDir = name === undefined ? undefined : join(root, name);
    expect(await calls(dataDir, file, isRefused)).toEqual(expected.map((each) => ({ ...each, dataDir })));
  });
});
