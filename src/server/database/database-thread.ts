import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { quoted } from '../../core/lib/quoted.ts';
import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';

/** The npm package with the embedded database: most people who use the command line need no server. */
export const databasePackage = 'rampart-database';

const isCheckout = import.meta.url.endsWith('.ts');

/** In a checkout, the source of the thread; in an archive or image, a folder beside the program. */
const own = isCheckout
  ? new URL('./pglite-thread.ts', import.meta.url)
  : new URL('../database/pglite-thread.js', import.meta.url);

/**
 * Finds the program of the thread that computes for the embedded database: with Rampart, or in its own npm package, which
 * must have the version of Rampart.
 */
export function findDatabaseThread(version: string): Result<URL> {
  if (existsSync(own)) return ok(own);
  const manifest = installedManifest();
  const hint = `install rampart-database-${version}.tgz where Rampart is installed, as "Install" in the documentation describes, or set RAMPART_STATE_URL to the address of a PostgreSQL database`;
  if (manifest === undefined)
    return failed(problem('configuration', 'the embedded database is not installed', { hint }));
  const { version: found } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown };
  if (found !== version)
    return failed(
      problem(
        'configuration',
        `the installed embedded database has version ${quoted(String(found))}, and Rampart has ${quoted(version)}`,
        { hint },
      ),
    );
  return ok(new URL('./pglite-thread.js', pathToFileURL(manifest)));
}

function installedManifest(): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(`${databasePackage}/package.json`);
  } catch {
    return undefined;
  }
}
