/**
 * The cost of reading a desired state from YAML, as ratios to `JSON.parse` of the same data: entries of id, name and
 * group, half of the ids beyond 2^53. Parse, checks and model with the fast reader, and with the full one; the fast
 * reader's parse alone, which leaves these entries in the text; and js-yaml, which reads every scalar as text and has
 * no places. All are timed in turns except the full reader, which is last, because it takes seconds and leaves half a
 * gigabyte behind. `--million` also reads
 * 1,000,000 entries, each way in a separate process, with its peak memory.
 */
import { spawnSync } from 'node:child_process';
import { FAILSAFE_SCHEMA, load } from 'js-yaml';
import { readDesired } from '../src/input/read-desired.ts';
import { sourceText } from '../src/input/sources/source-text.ts';
import { readFastYaml } from '../src/input/yaml/fast-yaml.ts';
import { readFullYaml } from '../src/input/yaml/full-yaml.ts';
import { median, timeOf } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

interface Texts {
  readonly json: string;
  readonly yaml: string;
}

const ways: Readonly<Record<string, (texts: Texts) => unknown>> = {
  'JSON.parse': ({ json }) => JSON.parse(json) as unknown,
  'js-yaml': ({ yaml }) => load(yaml, { schema: FAILSAFE_SCHEMA }),
  'fast parse': ({ yaml }) => readFastYaml(yaml),
  'fast, whole': ({ yaml }) => modelOf(yaml),
  'full, whole': ({ yaml }) => fullModelOf(yaml),
};

const [, , option, way, size] = process.argv;
if (option === '--one') {
  measureAlone(way as string, Number(size));
} else {
  const report = openReport(
    'Reading a desired state from YAML',
    'as ratios to `JSON.parse` of the same data',
  );
  const row = report.table(['entries', ...Object.keys(ways)]);
  for (const entries of isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000]) row(rowOf(entries));
  if (option === '--million') for (const name of Object.keys(ways).slice(0, -1)) spawnAlone(name, 1_000_000);
}

function rowOf(entries: number): readonly string[] {
  const texts = textsOf(entries);
  const times = Object.entries(ways).map(([name, read]) => ({ name, read, taken: [] as number[] }));
  const fast = times.slice(0, -1);
  const full = times.slice(-1);
  const run = (rounds: number, some: typeof times) => {
    for (let round = 0; round < rounds; round += 1) {
      for (const { read, taken } of some) taken.push(timeOf(() => read(texts)));
    }
  };
  run(Math.max(11, Math.round(100_000 / entries)), fast);
  run(Math.max(1, Math.round(20_000 / entries)), full);
  const base = median(times[0]?.taken ?? []);
  const cells = times.map(({ taken }, index) =>
    index === 0 ? `${base.toFixed(2)} ms` : (median(taken) / base).toFixed(1),
  );
  return [entries.toLocaleString('en'), ...cells];
}

function spawnAlone(name: string, entries: number): void {
  const own = process.argv[1] as string;
  const { status } = spawnSync(process.execPath, [own, '--one', name, String(entries)], { stdio: 'inherit' });
  if (status !== 0) process.exit(1);
}

function measureAlone(name: string, entries: number): void {
  const texts = textsOf(entries);
  const before = process.resourceUsage().maxRSS;
  const base = timeOf(() => ways['JSON.parse']?.(texts));
  const taken = name === 'JSON.parse' ? base : timeOf(() => ways[name]?.(texts));
  const peak = (process.resourceUsage().maxRSS - before) / 1024;
  console.log(
    `${entries.toLocaleString('en')}, ${name}: ${(taken / base).toFixed(1)}, ${peak.toFixed(0)} MB over start`,
  );
}

function modelOf(yaml: string): unknown {
  return check(readDesired([{ file: 'fleet.yaml', text: yaml }]));
}

function fullModelOf(yaml: string): unknown {
  const text = sourceText('fleet.yaml', yaml);
  const tree = readFullYaml(text);
  if (!tree.ok) throw new Error('the file was refused');
  return check(readDesired([{ file: 'fleet.yaml', text: yaml, parsed: { text, root: tree.value } }]));
}

function check(desired: ReturnType<typeof readDesired>): unknown {
  if (!desired.ok) throw new Error(desired.problems[0]?.message);
  return desired.value;
}

/** As strings fresh from a file: flat, not joined of parts. */
function textsOf(entries: number): Texts {
  const hosts = Array.from({ length: entries }, (_, index) => ({
    id: index % 2 === 0 ? String(9007199254740993n + BigInt(index) * 7919n) : String(200_000_000 + index),
    name: `BER-WEB-${index}`,
    group: `Berlin ${index % 40}`,
  }));
  const json = hosts.map(({ id, name, group }) => `{"id":${id},"name":"${name}","group":"${group}"}`);
  const yaml = hosts.map(({ id, name, group }) => `  - id: ${id}\n    name: ${name}\n    group: ${group}\n`);
  return {
    json: flat(`{"version":1,"hosts":[${json.join(',')}]}`),
    yaml: flat(`version: 1\nhosts:\n${yaml.join('')}`),
  };
}

function flat(text: string): string {
  return Buffer.from(text).toString();
}
