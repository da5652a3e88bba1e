/** A fleet and its desired state: a tenth of the hosts is renamed, another tenth is moved. */
const groups = 40;
const encoder = new TextEncoder();

/** The list as the service sends it; half of the ids lie beyond 2^53. */
export function listOf(count: number): Uint8Array {
  const parts: Uint8Array[] = [];
  for (let from = 0; from < count; from += 50_000) {
    const hosts = range(from, Math.min(count, from + 50_000)).map(
      (index) =>
        `{"description":"${nameOf(index)}","groupid":${groupOf(index)},"id":${idOf(index)},"isHostOnline":${index % 3 !== 0}}`,
    );
    parts.push(encoder.encode(`${from === 0 ? '' : ','}${hosts.join(',')}`));
  }
  return Buffer.concat([
    encoder.encode(`{"groups":[${groupList()}],"hosts":[`),
    ...parts,
    encoder.encode(']}'),
  ]);
}

/** The forms that a desired state can have, each for the whole fleet. */
export const forms = ['rule', 'csv', 'yaml', 'literal', 'typescript', 'host()'] as const;
export type Form = (typeof forms)[number];

/**
 * The desired state in one form: its files by their names, the first of which is the one to plan. Without a rule, one in
 * `every` hosts is renamed, and one in `every` is moved.
 */
export function filesOf(form: Form, count: number, every = 10): Readonly<Record<string, string>> {
  switch (form) {
    case 'rule':
      return { 'fleet.yaml': ruleFile };
    case 'csv':
      return {
        'fleet.yaml': 'version: 1\nhostsFrom: hosts.csv\n',
        'hosts.csv': `id,name,group\n${desired(count, (id, name, group) => `${id},${name},${group}\n`, every)}`,
      };
    case 'yaml':
      return {
        'fleet.yaml': `version: 1\nhosts:\n${desired(count, (id, name, group) => `  - id: ${id}\n    name: ${name}\n    group: ${group}\n`)}`,
      };
    case 'literal':
      return {
        'fleet.ts': `export default { hosts: [\n${desired(count, (id, name, group) => `  { id: '${id}', name: '${name}', group: '${group}' },\n`)}] };\n`,
      };
    case 'host()':
      return {
        'fleet.ts': [
          "import { defineFleet, host } from 'rampart';",
          "import text from './desired.txt';",
          'const lines = text.trimEnd().split("\\n");',
          'const hosts = lines.map((line) => { const [id, name, group] = line.split(";"); return host({ id, name, group }); });',
          'export default defineFleet({ hosts });',
        ].join('\n'),
        'desired.txt': desired(count, (id, name, group) => `${id};${name};${group}\n`),
      };
    case 'typescript':
      return {
        'fleet.ts': [
          "import text from './desired.txt';",
          'const lines = text.trimEnd().split("\\n");',
          'const hosts = lines.map((line) => { const [id, name, group] = line.split(";"); return { id, name, group }; });',
          'export default { version: 1, hosts };',
        ].join('\n'),
        'desired.txt': desired(count, (id, name, group) => `${id};${name};${group}\n`),
      };
  }
}

/** One rule, which renames a tenth of the hosts and moves them too. */
const ruleFile = `version: 1
rules:
  - name: old names
    when: host.name.startsWith("OLD-") || host.name.startsWith("NEW-")
    rename: "NEW-\${host.name.substring(4)}"
    group: Group 1
`;

/** The intended state of every host: those with an old name swap names in one random permutation. */
function desired(
  count: number,
  line: (id: string, name: string, group: string) => string,
  every = 10,
): string {
  const first = 3 % every;
  const traded = permutation(Math.ceil((count - first) / every));
  let text = '';
  for (let index = 0; index < count; index += 1) {
    const name =
      index % every === first
        ? nameOf((traded[(index - first) / every] as number) * every + first)
        : nameOf(index);
    const group = index % every === 7 % every ? (groupOf(index) % groups) + 1 : groupOf(index);
    text += line(idOf(index), name, `Group ${group}`);
  }
  return text;
}

function idOf(index: number): string {
  return index % 2 === 0 ? String(9007199254740993n + BigInt(index) * 7919n) : String(200_000_000 + index);
}

function nameOf(index: number): string {
  return `${index % 10 === 3 ? 'OLD' : 'BER'}-WEB-${String(index).padStart(7, '0')}`;
}

function groupOf(index: number): number {
  return (index % groups) + 1;
}

function groupList(): string {
  const named = range(1, groups + 1).map((id) => `{"id":${id},"name":"Group ${id}"}`);
  return ['{"id":-1,"name":null}', ...named].join(',');
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

/** The same one each time (Fisher and Yates, with mulberry32). */
function permutation(count: number): readonly number[] {
  const order = Array.from({ length: count }, (_, index) => index);
  let state = 0x5eed;
  for (let last = count - 1; last > 0; last -= 1) {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    const other = ((mixed ^ (mixed >>> 14)) >>> 0) % (last + 1);
    [order[last], order[other]] = [order[other] as number, order[last] as number];
  }
  return order;
}
