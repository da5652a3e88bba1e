import { failed, hasErrors, ok, type Result } from '../../core/problem/problem.ts';
import { decodeSource, type Source } from '../sources/decode-source.ts';
import { createProblemList } from '../values/problem-list.ts';
import { readItems, readMembers, report } from '../values/reading.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import type { PlanTestFile } from './plan-case.ts';
import { readCase, readSetting } from './read-case.ts';
import { testFileKeys } from './test-keys.ts';

const example =
  'write "cases:" with a list; each case has a "name", and the expected properties of the plan under "expect"';

/** One `*.rampart-test.yaml`, or everything that is wrong with it. Pure: files that it names are not opened. */
export function readTestFile(source: Source): Result<PlanTestFile> {
  const decoded = decodeSource(source);
  if (!decoded.ok) return decoded;
  const tree = parseYaml(decoded.value, example);
  if (!tree.ok) return tree;
  const problems = createProblemList();
  const reading = { source: decoded.value, problems };
  const members = readMembers(reading, tree.value, testFileKeys, { what: 'a test file', example });
  if (members !== undefined && members.cases === undefined) {
    report(reading, { start: 0, end: 0 }, 'missing-key', 'the file has no cases', { hint: example });
  }
  const common = members === undefined ? {} : readSetting(reading, members);
  const cases = readItems(reading, members?.cases, example, (item) =>
    readCase(reading, item, common, members ?? {}),
  );
  if (members?.cases?.value.kind === 'sequence' && members.cases.value.items.length === 0) {
    report(reading, members.cases.value, 'invalid-value', 'the list of cases is empty', { hint: example });
  }
  return hasErrors(problems.all())
    ? failed(...problems.all())
    : ok({ file: source.file, cases }, problems.all());
}
