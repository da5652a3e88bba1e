import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';
import { licensesOf } from '../licenses-of.ts';
import { consoleConfig } from './console-config.ts';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

const compressed = new Set(['.html', '.js', '.css', '.svg']);

/**
 * Builds the console as static files, each with its .br and .gz. Returns the bytes of script, compressed by gzip, that
 * the first visit loads before any page.
 */
export async function buildConsole(folder: string): Promise<{ readonly scriptBytes: number }> {
  const built = await build({ ...consoleConfig, build: { ...consoleConfig.build, outDir: folder } });
  const chunks = [built].flat().flatMap((each) => ('output' in each ? each.output : []));
  const inputs = chunks.flatMap((chunk) => (chunk.type === 'chunk' ? Object.entries(chunk.modules) : []));
  writeFileSync(join(folder, 'licenses.txt'), licensesOf({ inputs: Object.fromEntries(inputs) }));
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Record<string, Chunk>;
  rmSync(join(folder, 'manifest.json'));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!compressed.has(extname(name))) continue;
    const bytes = readFileSync(join(folder, name));
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }));
  }
  const scriptBytes = firstLoad(manifest).reduce(
    (sum, file) => sum + readFileSync(join(folder, `${file}.gz`)).length,
    0,
  );
  return { scriptBytes };
}

/** The entry and everything that it imports statically. */
function firstLoad(manifest: Readonly<Record<string, Chunk>>): readonly string[] {
  const found = new Set<string>();
  const waiting = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true);
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const chunk = manifest[key];
    if (chunk === undefined || found.has(chunk.file)) continue;
    found.add(chunk.file);
    waiting.push(...(chunk.imports ?? []));
  }
  return [...found].filter((file) => file.endsWith('.js'));
}
