import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Breach } from '../laws/judge.ts';
import type { Script } from '../script/script.ts';
import { type PlantedBug, plantedBugs } from './planted-bugs.ts';

/*
 * Plants one bug after another in the server, and plays seeds until a law is broken:
 *
 *     node test/simulation/planted/hunt.ts                          all, from seed 0, at most 1,000 seeds each
 *     node test/simulation/planted/hunt.ts --bug "a pause" --known  those with this text, at their known seeds
 */
const { values } = parseArgs({
  options: {
    bug: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    seeds: { type: 'string', default: '1000' },
    known: { type: 'boolean', default: false },
  },
});
const root = join(import.meta.dirname, '../../..');
const marker = '?planted=';
const byIndex = new Map(plantedBugs.map((bug, at) => [String(at), bug]));

/** Every module that a planted one imports is planted too, so that each bug has modules of its own. */
registerHooks({
  resolve(specifier, context, next) {
    const found = next(specifier, context);
    const [, at] = context.parentURL?.split(marker) ?? [];
    const isOurs = found.url.startsWith('file:') && !found.url.includes('/node_modules/');
    return at === undefined || !isOurs ? found : { ...found, url: `${found.url}${marker}${at}` };
  },
  load(url, context, next) {
    const [address = url, at] = url.split(marker);
    const bug = byIndex.get(at ?? '');
    const changes = bug?.changes.filter(({ file }) => address.endsWith(`/src/${file}`)) ?? [];
    if (changes.length === 0) return next(url, context);
    let source = readFileSync(new URL(address), 'utf8');
    for (const { file, from, to } of changes) {
      if (!source.includes(from)) throw new Error(`${file} no longer contains: ${from}`);
      source = source.replace(from, () => to);
    }
    return { format: 'module-typescript', source, shortCircuit: true };
  },
});

interface Planted {
  readonly simulate: (script: Script) => Promise<{ readonly breach: Breach | undefined }>;
}

async function hunt(bug: PlantedBug): Promise<string> {
  const at = plantedBugs.indexOf(bug);
  const moduleOf = (path: string) => import(`${pathToFileURL(join(root, path)).href}${marker}${at}`);
  const { simulate } = (await moduleOf('test/simulation/simulate.ts')) as Planted;
  const { makeScript } = (await moduleOf('test/simulation/script/make-script.ts')) as {
    readonly makeScript: (seed: number) => Script;
  };
  const first = values.known ? bug.seed : Number(values.from);
  const seeds = values.known ? 1 : Number(values.seeds);
  for (let seed = first; seed < first + seeds; seed += 1) {
    const { breach } = await simulate(makeScript(seed));
    if (breach !== undefined)
      return `found with seed ${seed}: ${breach.law}: ${breach.message.split('\n')[0]}`;
  }
  process.exitCode = 1;
  return `not found in ${seeds} seeds from ${first} on`;
}

for (const bug of plantedBugs)
  if (bug.name.includes(values.bug)) console.log(`${bug.name}\n  ${await hunt(bug)}`);
