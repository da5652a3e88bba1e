import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freeBytesOf, unopenedProblem } from '../../../src/server/database/unopened-database.ts';

describe('an embedded database that does not open', () => {
  it('reports a full disk, and does not advise leaving the records behind', () => {
    const full = unopenedProblem('the database', 32 * 1024 ** 2 - 1);
    expect(full.code).toBe('state');
    expect(full.message).toContain('its disk is full');
    expect(full.hint).not.toContain('another folder');
  });

  it('reports damaged files if there is space, or the space is unknown', () => {
    for (const free of [32 * 1024 ** 2, Number.POSITIVE_INFINITY])
      expect(unopenedProblem('the database', free)).toMatchObject({
        code: 'state',
        message: expect.stringContaining('damaged') as string,
      });
  });

  it.each(['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND', 'ENOENT'])(
    'reports an incomplete installation if a file of the program is missing: %s',
    (code) => {
      const missing = unopenedProblem('the database', 0, Object.assign(new Error('gone'), { code }));
      expect(missing.message).toContain('files of Rampart Server are missing');
      expect(missing.hint).toContain('the records are still there');
    },
  );

  it("assumes enough space for a folder whose disk it can't measure", () => {
    expect(freeBytesOf(tmpdir())).toBeLessThan(Number.POSITIVE_INFINITY);
    expect(freeBytesOf(tmpdir())).toBeGreaterThan(8 * 1024 ** 2);
    expect(freeBytesOf(join(tmpdir(), 'rampart-no-such-folder'))).toBe(Number.POSITIVE_INFINITY);
  });
});
