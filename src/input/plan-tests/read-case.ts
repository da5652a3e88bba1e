import { defined } from '../../core/lib/defined.ts';
import type { AccountFacts } from '../../core/model/facts.ts';
import type {
  ChangePattern,
  PlanExpectation,
  ProblemPattern,
  SummaryCount,
} from '../../core/model/plan-expectation.ts';
import { relativeToFile } from '../sources/relative-to-file.ts';
import type { Member, YamlNode } from '../sources/source-text.ts';
import { readCount } from '../values/read-count.ts';
import { readBoolean, readText } from '../values/read-text.ts';
import { readTimestamp } from '../values/read-timestamp.ts';
import {
  itemHead,
  type Members,
  type Reading,
  readItems,
  readMember,
  readMembers,
  report,
  valueSpan,
} from '../values/reading.ts';
import type { CaseAcks, CaseOptions, CaseSetting, DesiredSource, PlanCase, TestFleet } from './plan-case.ts';
import { readChangePattern } from './read-change-pattern.ts';
import {
  accountKeys,
  ackKeys,
  caseKeys,
  expectKeys,
  type KeyDescriptions,
  optionKeys,
  summaryKeys,
} from './test-keys.ts';

const example = 'write, for example: - { name: nothing is deleted, expect: { never: [{ delete: true }] } }';

type SettingMembers = { readonly [Key in 'observed' | 'desired' | 'now' | 'account' | 'options']?: Member };

export function readSetting(reading: Reading, members: SettingMembers): CaseSetting {
  const observed = readMember(members.observed, (value) => readFleetSource(reading, value));
  const desired = readMember(members.desired, (value) => readDesiredSource(reading, value));
  const now = readMember(members.now, (value, at) => readTimestamp(reading, value, '"now"', at));
  const account = readMember(members.account, (value) => readAccount(reading, value));
  const options = readMember(members.options, (value) => readOptions(reading, value));
  return {
    ...defined({ observed, desired, now, account, options }),
  };
}

export function readCase(
  reading: Reading,
  node: YamlNode,
  common: CaseSetting,
  blockMembers: SettingMembers,
): PlanCase | undefined {
  const members = readMembers(reading, node, caseKeys, { what: 'a case', example });
  if (members === undefined) return undefined;
  const name = readMember(members.name, (value, at) => readText(reading, value, 'the name of a case', at));
  const setting = { ...common, ...readSetting(reading, members) };
  const expect = members.expect === undefined ? undefined : readExpectation(reading, members.expect);
  for (const key of ['name', 'expect'] as const) {
    if (members[key] === undefined) lack(reading, node, `a case needs "${key}"`, example);
  }
  if (members.observed === undefined && blockMembers.observed === undefined) {
    const hint = 'add "observed" with the fleet to the case, or to the top of the file for all cases';
    lack(reading, node, 'the case has no fleet', hint);
  }
  const { observed, options = noOptions } = setting;
  if (name === undefined || observed === undefined || expect === undefined) return undefined;
  return { ...setting, name, place: reading.source.placeOf(itemHead(node)), observed, options, expect };
}

function lack(reading: Reading, node: YamlNode, message: string, hint: string): void {
  report(reading, itemHead(node), 'missing-key', message, { hint });
}

/** Text is a path, a mapping is the seed itself. */
function readFleetSource(reading: Reading, node: YamlNode): TestFleet | undefined {
  const { source } = reading;
  if (node.kind === 'mapping') {
    const { file, line, col } = source.placeOf(node);
    // A separate reader reads the text of the seed. Its first line keeps its indentation.
    const text = ' '.repeat(col - 1) + source.text.slice(node.start, node.end);
    return { kind: 'inline', file, line, text };
  }
  const path = readText(reading, node, '"observed"');
  if (path === undefined) return undefined;
  return { kind: 'file', path: relativeToFile(path, source.file), place: source.placeOf(node) };
}

function readDesiredSource(reading: Reading, node: YamlNode): DesiredSource | undefined {
  const { source } = reading;
  if (node.kind === 'mapping')
    return { kind: 'inline', file: source.file, text: source, root: withVersion(node) };
  const items = node.kind === 'sequence' ? node.items : [node];
  const paths = items.flatMap((item) => readText(reading, item, '"desired"') ?? []);
  if (items.length === 0) {
    return report(reading, node, 'invalid-value', '"desired" lists no file', {
      hint: 'write, for example, desired: fleet.yaml',
    });
  }
  return paths.length < items.length
    ? undefined
    : { kind: 'files', paths: paths.map((path) => relativeToFile(path, source.file)) };
}

/** A part of a file may omit the version. */
function withVersion(node: YamlNode): YamlNode {
  if (node.kind !== 'mapping' || node.members.some(({ key }) => key.text === 'version')) return node;
  const at = { start: node.start, end: node.start, plain: true } as const;
  const version = {
    key: { kind: 'scalar', text: 'version', ...at },
    value: { kind: 'scalar', text: '1', ...at },
  } as const;
  return { ...node, members: [version, ...node.members] };
}

/** Without a name, the account is called "test". */
function readAccount(reading: Reading, node: YamlNode): AccountFacts | undefined {
  const members = readNamed(reading, node, accountKeys, 'account', '{ labels: { region: eu } }');
  if (members === undefined) return undefined;
  const name = readMember(members.name, (value, at) =>
    readText(reading, value, 'the name of an account', at),
  );
  const labels = readMember(members.labels, (value) => readLabels(reading, value));
  return { name: name ?? 'test', labels: labels ?? {} };
}

function readLabels(reading: Reading, node: YamlNode): AccountFacts['labels'] | undefined {
  if (node.kind !== 'mapping') {
    return report(reading, node, 'wrong-type', '"labels" must be a mapping', {
      hint: 'write, for example, labels: { region: eu }',
    });
  }
  const entries = node.members.flatMap(({ key, value }) => {
    const text = readText(reading, value, `the label "${key.text}"`);
    return text === undefined ? [] : [[key.text, text] as const];
  });
  return Object.fromEntries(entries);
}

const noOptions: CaseOptions = { ack: {}, strict: false, deleteFirst: false, skipBlocked: false };

function readOptions(reading: Reading, node: YamlNode): CaseOptions | undefined {
  const members = readNamed(reading, node, optionKeys, 'options', '{ strict: true }');
  if (members === undefined) return undefined;
  const flag = (key: 'strict' | 'deleteFirst' | 'skipBlocked') =>
    readMember(members[key], (value, at) => readBoolean(reading, value, `"${key}"`, at)) ?? false;
  return {
    ack: readMember(members.ack, (value) => readAcks(reading, value)) ?? {},
    strict: flag('strict'),
    deleteFirst: flag('deleteFirst'),
    skipBlocked: flag('skipBlocked'),
  };
}

function readAcks(reading: Reading, node: YamlNode): CaseAcks | undefined {
  const members = readNamed(reading, node, ackKeys, 'ack', '{ delete: 28 }');
  const counts = Object.entries(members ?? {}).flatMap(([key, member]) => {
    const count = readCount(reading, member, `"${key}"`);
    return count === undefined ? [] : [[key, count] as const];
  });
  return Object.fromEntries(counts);
}

function readNamed<K extends KeyDescriptions>(
  reading: Reading,
  node: YamlNode,
  keys: K,
  key: string,
  value: string,
): Members<K> | undefined {
  return readMembers(reading, node, keys, {
    what: `"${key}"`,
    example: `write, for example, ${key}: ${value}`,
  });
}

/** Reads the members of `expect`. */
function readExpectation(reading: Reading, member: Member): PlanExpectation | undefined {
  const members = readMembers(reading, member.value, expectKeys, {
    what: '"expect"',
    example: 'write, for example, expect: { refused: [no-online-deletes], exit: 6 }',
  });
  if (members === undefined) return undefined;
  if (Object.keys(members).length === 0) {
    return report(reading, member.key, 'missing-key', 'the case expects nothing', {
      hint: `add one of ${Object.keys(expectKeys).join(', ')}`,
    });
  }
  const { changes, includes, never, refused, warnings, summary, exit } = members;
  const code = exit === undefined ? undefined : readCount(reading, exit, '"exit"');
  const placeOf = (each: Member) => reading.source.placeOf(each.key);
  return {
    ...(changes && { changes: { all: readPatterns(reading, changes, false), place: placeOf(changes) } }),
    includes: includes === undefined ? [] : readPatterns(reading, includes, false),
    never: never === undefined ? [] : readPatterns(reading, never, true),
    ...(refused && { refused: { all: readWords(reading, refused), place: placeOf(refused) } }),
    ...(warnings && { warnings: { all: readWords(reading, warnings), place: placeOf(warnings) } }),
    summary: summary === undefined ? [] : readSummary(reading, summary),
    ...(code === undefined || exit === undefined ? {} : { exit: { code, place: placeOf(exit) } }),
  };
}

function readPatterns(reading: Reading, member: Member, open: boolean): readonly ChangePattern[] {
  const example = `write, for example, ${member.key.text}: [{ host: BER-WEB-01, ${open ? 'delete: true' : 'rename: BER-WEB-02'} }]`;
  return readItems(reading, member, example, (item) => readChangePattern(reading, item, { open }));
}

function readWords(reading: Reading, member: Member): readonly ProblemPattern[] {
  const example = `write, for example, ${member.key.text}: [no-online-deletes]; for nothing, []`;
  return readItems(reading, member, example, (item): ProblemPattern | undefined => {
    const word = readText(reading, item, 'the name of a policy or the code of a problem');
    return word === undefined ? undefined : { word, place: reading.source.placeOf(item) };
  });
}

function readSummary(reading: Reading, member: Member): PlanExpectation['summary'] {
  const members = readMembers(reading, member.value, summaryKeys, {
    what: '"summary"',
    example: 'write, for example, summary: { rename: 3, delete: 0 }',
  });
  return (Object.entries(members ?? {}) as [SummaryCount, Member][]).flatMap(([name, each]) => {
    const count = readCount(reading, each, `"${name}"`);
    return count === undefined ? [] : [{ name, count, place: reading.source.placeOf(valueSpan(each)) }];
  });
}
