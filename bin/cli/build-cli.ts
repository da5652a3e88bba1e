import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Metafile, transform } from 'esbuild';
import { buildSandbox } from '../build-sandbox.ts';
import { bundled, compact } from '../bundle-options.ts';
import { leanFetch } from '../lean-fetch.ts';
import { leanUndici } from '../lean-undici.ts';
import { licensesOf } from '../licenses-of.ts';
import { ownSources } from '../own-sources.ts';
import { exportValues } from './export-values.ts';
import { loadOnFirstUse } from './load-on-first-use.ts';

/** Each gets files of its own, so that a command which only might need one doesn't load it. */
const heavyParts = [
  'src/service/contract/api.ts',
  'src/service/emulator/accounts.ts',
  'src/service/emulator/emulator.ts',
  'src/service/emulator/seed.ts',
  'src/service/emulator/service-settings.ts',
  'src/core/expression/facts/read-fact.ts',
  'src/core/expression/running/engine.ts',
  'src/core/expression/syntax/read-expression.ts',
  'src/output/review/account-report.ts',
  'src/output/review/plans-review.ts',
  'src/accounts/plans/plans-index.ts',
  'src/run/state/audit/audit-record.ts',
  'src/run/state/journal/record-schema.ts',
  'src/run/state/lease/lease-holder.ts',
  'src/run/state/rollout/rollout-record.ts',
  'src/service/inventory/cache-schema.ts',
  '@bufbuild/cel',
  'node_modules/@bufbuild/cel/dist/esm/parse.js',
  '@bufbuild/re2',
  'commander',
  'csv-stringify/sync',
  'temporal-polyfill',
  'yaml',
  'zod',
];

/** The program, and the thread that a server starts in addition. */
const entries = [
  ['program', 'src/cli/main.ts'],
  ['explain-thread', 'src/server/hosts/rules/explain-thread.ts'],
] as const;

// CommonJS has no `import.meta.url`; modules find the other modules of the bundle in their own folder.
const ownAddress = "process.getBuiltinModule('node:url').pathToFileURL(__dirname + '/bundle.js').href";

/** Only people who run a server load this command, and its own modules. */
const serverCommand = 'src/cli/commands/server.ts';

/**
 * Writes the command line as a folder of files of which each command loads only what it uses, when it uses it, with the
 * sandbox of scripts and the licenses of everything in them. Files that only the server loads go to the folder `server`
 * next to it. The files are CommonJS, which loads in half of the time that an ECMAScript module takes. Returns their
 * size in bytes.
 */
export async function buildCli(folder: string): Promise<{ readonly bytes: number }> {
  const serverFolder = join(folder, '../server');
  for (const each of [folder, serverFolder]) {
    rmSync(each, { recursive: true, force: true });
    mkdirSync(each, { recursive: true });
  }
  const parts = await build({
    ...bundled,
    entryPoints: Object.fromEntries([...entries, ...heavyParts.map(partEntry)]),
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    splitting: true,
    plugins: [ownSources(ownAddress), leanUndici, leanFetch],
    write: false,
  });
  const hash = createHash('sha256');
  const own = loadedWithoutServer(parts.metafile);
  const isOwn = (path: string) => own.has(basename(path));
  for (const { path, text } of parts.outputFiles) {
    const module = await transform(text, { format: 'cjs', supported: { 'dynamic-import': false } });
    const { code } = await transform(loadOnFirstUse(exportValues(module.code)), compact);
    writeFileSync(isOwn(path) ? path : join(serverFolder, basename(path)), code);
    hash.update(code);
  }
  await build({
    ...bundled,
    entryPoints: { main: 'bin/cli/start-program.ts' },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    external: ['rampart-server/package.json'],
    define: { BUILD: JSON.stringify(hash.digest('hex').slice(0, 16)) },
  });
  const sandbox = await buildSandbox(folder);
  const inputs = { ...inputsOf(parts.metafile, isOwn), ...sandbox.inputs };
  writeFileSync(join(folder, 'licenses.txt'), licensesOf({ inputs }));
  const ofServer = inputsOf(parts.metafile, (path) => !isOwn(path));
  writeFileSync(join(serverFolder, 'licenses.txt'), licensesOf({ inputs: ofServer }));
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return { bytes: names.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) };
}

/** The names of the files that some command other than `rampart server` may load. */
function loadedWithoutServer({ outputs }: Metafile): ReadonlySet<string> {
  const dynamic = new Set(
    Object.values(outputs).flatMap(({ imports }) =>
      imports.flatMap(({ kind, path }) => (kind === 'dynamic-import' ? [path] : [])),
    ),
  );
  const reached = new Set(
    Object.keys(outputs).filter((path) => outputs[path]?.entryPoint && !dynamic.has(path)),
  );
  for (const path of reached)
    for (const imported of outputs[path]?.imports ?? [])
      if (outputs[imported.path] !== undefined && outputs[imported.path]?.entryPoint !== serverCommand)
        reached.add(imported.path);
  return new Set(Array.from(reached, (path) => basename(path)));
}

function inputsOf({ outputs }: Metafile, has: (path: string) => boolean): Readonly<Record<string, unknown>> {
  return Object.assign({}, ...Object.keys(outputs).map((path) => (has(path) ? outputs[path]?.inputs : {})));
}

function partEntry(part: string): readonly [string, string] {
  return [part.replaceAll(/\W+/g, '-').replace(/^-/, ''), part];
}
