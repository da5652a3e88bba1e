import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { quoted } from '../../core/lib/words.ts';
import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';

/** The npm package with the parts that only a server needs: most people who use the command line run none. */
export const serverPackage = 'rampart-server';

export interface ServerPackage {
  /** The program of the thread that computes for the embedded database. */
  readonly databaseThread: URL;
  /** The built console. */
  readonly consoleFolder: string;
}

/**
 * Finds the parts of the server: in a checkout, in an archive or image next to the program, or in their own npm
 * package, which must have the version of Rampart. `program` is the file that looks for them.
 */
export function findServerPackage(version: string, program = import.meta.url): Result<ServerPackage> {
  if (program.endsWith('.ts'))
    return ok({
      databaseThread: new URL('./pglite-thread.ts', program),
      consoleFolder: fileURLToPath(new URL('../../../dist/console', program)),
    });
  const own = new URL('../server/', program);
  if (existsSync(own)) return ok(partsIn(own));
  const manifest = installedManifest(program);
  const hint = `install ${serverPackage}-${version}.tgz where Rampart is installed, as "Install" in the documentation describes`;
  if (manifest === undefined)
    return failed(problem('configuration', 'Rampart Server is not installed', { hint }));
  const { version: found } = JSON.parse(readFileSync(manifest, 'utf8')) as { readonly version?: unknown };
  if (found !== version)
    return failed(
      problem(
        'configuration',
        `the installed Rampart Server has version ${quoted(String(found))}, and Rampart has ${quoted(version)}`,
        { hint },
      ),
    );
  return ok(partsIn(pathToFileURL(manifest)));
}

function partsIn(folder: URL): ServerPackage {
  return {
    databaseThread: new URL('./pglite-thread.js', folder),
    consoleFolder: fileURLToPath(new URL('./console', folder)),
  };
}

function installedManifest(program: string): string | undefined {
  try {
    return createRequire(program).resolve(`${serverPackage}/package.json`);
  } catch {
    return undefined;
  }
}
