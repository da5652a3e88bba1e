import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../../../core/lib/once.ts';
import type { Environment } from '../../../core/lib/surroundings.ts';
import type { PageStore } from '../../../service/registers/fetch-register.ts';
import { userFolder } from '../origin/user-folder.ts';
import { makeFolder, replaceFile } from './replace-file.ts';

const pagesSchema = once(() =>
  z.array(
    z.tuple([
      z.string(),
      z.object({
        etag: z.string().regex(/^(?:W\/)?"[^"]*"$/),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      }),
    ]),
  ),
);
/** Larger registers are read whole each time, in UTF-16 units. */
const mostText = 64 * 1024 * 1024;

/** In the folder of the user, because a pull request could bring a file in the project; undefined if there is none. */
export function userRegisterPages(env: Environment): PageStore | undefined {
  const folder = userFolder(env);
  return folder === undefined ? undefined : registerPagesIn(join(folder, 'registers'));
}

/**
 * Pages of registers in a folder that only this user can read, one file for each request. They save a download, so a
 * folder that can't be written or a damaged file is no problem.
 */
export function registerPagesIn(folder: string): PageStore {
  const pathOf = (key: string) => join(folder, `register-${key.slice(0, 16)}.json`);
  return {
    async read(key) {
      try {
        return new Map(pagesSchema().parse(JSON.parse(await readFile(pathOf(key), 'utf8'))));
      } catch {
        return new Map();
      }
    },
    async write(key, pages) {
      let length = 0;
      for (const { body } of pages.values()) length += body.length;
      if (length > mostText) return;
      try {
        makeFolder(folder, 0o700);
        await replaceFile(pathOf(key), JSON.stringify([...pages]), { mode: 0o600 });
      } catch {
        // The next command reads the register whole.
      }
    },
  };
}
