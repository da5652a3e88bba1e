/**
 * The cost of evaluating rules for every host, as a ratio to `JSON.parse` of the same host list: 1, 10 and 50 rules
 * over 10,000 and 100,000 hosts, and with `--million` over 1,000,000. Then the two CEL libraries themselves, one
 * expression over 100,000 hosts.
 */
import { celEnv, parse, plan } from '@bufbuild/cel';
import { Environment } from '@marcbachmann/cel-js';
import { compileCondition } from '../src/core/expression/compile.ts';
import { createMatcher } from '../src/core/expression/running/first-match.ts';
import type { Condition, ExpressionSubject } from '../src/core/model/expression.ts';
import type { Facts } from '../src/core/model/facts.ts';
import type { GroupId, HostId } from '../src/core/model/observed.ts';
import { inTurns } from './measure/in-turns.ts';
import { isQuick } from './measure/quick.ts';
import { openReport } from './report/report.ts';

const sites = ['Berlin', 'Hamburg', 'Köln', 'München', 'Wien'];

/** How rules are written: by group and prefix, as most are; each a test of its own; or a test that only the library can evaluate. */
const kinds: readonly (readonly [string, number, (index: number) => string])[] = [
  ['group, prefix, field', 0, simpleRule],
  ['contains', 0, (index) => `host.name.contains("-${index}7") && host.online`],
  ['regular expressions', 10, (index) => `host.name.matches("^BER-[A-Z]+-${index}[0-9]{3}$")`],
];

const sizes = process.argv.includes('--million')
  ? [10_000, 100_000, 1_000_000]
  : isQuick
    ? [10_000]
    : [10_000, 100_000];
const report = openReport('Evaluating rules', 'as ratios to `JSON.parse` of the list of the same hosts');
const row = report.table(['conditions', 'hosts', 'rules', 'JSON.parse', 'rules', 'ratio']);
for (const hosts of sizes) {
  const bytes = listOf(hosts);
  const subjects = subjectsOf(hosts);
  const rounds = Math.max(3, Math.round(300_000 / hosts));
  for (const [kind, most, rule] of kinds) {
    for (const count of [1, 10, 50].filter((each) => most === 0 || (each <= most && hosts <= 100_000))) {
      const matcher = createMatcher(Array.from({ length: count }, (_, index) => condition(rule(index))));
      printRow({ hosts, count: String(count), kind, rounds, bytes, work: () => run(matcher, subjects) });
    }
  }
}

const expression = 'host.group == "Group 7" && host.name.startsWith("BER-")';
const contexts = Array.from({ length: 100_000 }, (_, index) => ({
  host: new Map([
    ['name', nameOf(index)],
    ['group', groupOf(index)],
  ]),
}));
const bufbuild = plan(celEnv(), parse(expression));
const marcbachmann = new Environment().registerVariable('host', 'map').parse(expression);
const simple = condition(expression);
const asking = simple.begin();
const subjects = subjectsOf(100_000);
const bytes = listOf(100_000);
const raw = { hosts: 100_000, count: '-', rounds: 3, bytes };
printRow({ ...raw, kind: '@bufbuild/cel', work: () => contexts.map((each) => bufbuild(each)) });
printRow({
  ...raw,
  kind: '@marcbachmann/cel-js',
  work: () => contexts.map((each) => marcbachmann(each) as unknown),
});
printRow({ ...raw, kind: 'planned by us', work: () => subjects.map((each) => asking(each)) });

interface Row {
  readonly hosts: number;
  readonly count: string;
  readonly kind: string;
  readonly rounds: number;
  readonly bytes: Uint8Array;
  readonly work: () => unknown;
}

function printRow({ hosts, count, kind, rounds, bytes, work }: Row): void {
  const [plain = 0, rules = 0] = inTurns(rounds, [
    () => JSON.parse(new TextDecoder().decode(bytes)) as unknown,
    work,
  ]);
  const times = [plain, rules].map((ms) => `${ms.toFixed(2)} ms`);
  row([kind, hosts.toLocaleString('en'), count, ...times, (rules / plain).toFixed(2)]);
}

function run(matcher: ReturnType<typeof createMatcher>, all: readonly ExpressionSubject[]): number {
  let matched = 0;
  for (const subject of all) matched += matcher(subject).matches.length;
  return matched;
}

function simpleRule(index: number): string {
  const site = sites[index % sites.length];
  const rules = [
    `host.group == "Group ${index}" && host.online`,
    `host.name.startsWith("BER-WEB-${index}") && host.customFields["Site"] == "${site}"`,
    `host.customFields["Site"] == "${site}" && host.name.endsWith("-${index}")`,
    `host.group in ["Group ${index}", "Group ${index + 1}"] && !host.online`,
  ];
  return rules[index % rules.length] as string;
}

function condition(source: string): Condition {
  const compiled = compileCondition(source, 'host');
  if (!compiled.ok) throw new Error(compiled.faults[0]?.message);
  return compiled.value;
}

function nameOf(index: number): string {
  return `BER-${index % 2 === 0 ? 'WEB' : 'DB'}-${index}`;
}

function groupOf(index: number): string {
  return `Group ${index % 40}`;
}

function subjectsOf(count: number): readonly ExpressionSubject[] {
  const fields = sites.map((site) => ({ Site: site }));
  const facts: Facts = {
    lists: [],
    customFieldsOf: (id) => fields[id.charCodeAt(id.length - 1) % fields.length],
    inventoryOf: () => undefined,
  };
  return Array.from({ length: count }, (_, index) => {
    const name = nameOf(index);
    const id = String(200_000_000 + index) as HostId;
    return {
      id,
      host: {
        id,
        name,
        groupId: String(index % 40) as GroupId,
        online: index % 3 !== 0,
      },
      name,
      group: groupOf(index),
      facts,
    };
  });
}

function listOf(count: number): Uint8Array {
  const hosts = Array.from(
    { length: count },
    (_, index) =>
      `{"description":"${nameOf(index)}","groupid":${index % 40},"id":${200_000_000 + index},"isHostOnline":${index % 3 !== 0}}`,
  );
  return new TextEncoder().encode(`{"groups":[{"id":-1,"name":null}],"hosts":[${hosts.join(',')}]}`);
}
