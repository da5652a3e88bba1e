import type {
  ChangePattern,
  PlanExpectation,
  ProblemPattern,
  SummaryCount,
} from '../../core/model/plan-expectation.ts';
import type { Member } from '../sources/yaml-tree.ts';
import { readCount } from '../values/read-count.ts';
import { readItems } from '../values/read-items.ts';
import { readMembers, valueSpan } from '../values/read-members.ts';
import { readText } from '../values/read-text.ts';
import { type Reading, report } from '../values/reading.ts';
import { readChangePattern } from './read-change-pattern.ts';
import { expectKeys, summaryKeys } from './test-keys.ts';

/** Reads the members of `expect`. */
export function readExpectation(reading: Reading, member: Member): PlanExpectation | undefined {
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
    ...(changes === undefined
      ? {}
      : { changes: { all: readPatterns(reading, changes, false), place: placeOf(changes) } }),
    includes: includes === undefined ? [] : readPatterns(reading, includes, false),
    never: never === undefined ? [] : readPatterns(reading, never, true),
    ...(refused === undefined
      ? {}
      : { refused: { all: readWords(reading, refused), place: placeOf(refused) } }),
    ...(warnings === undefined
      ? {}
      : { warnings: { all: readWords(reading, warnings), place: placeOf(warnings) } }),
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
