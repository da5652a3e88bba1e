import {
  caseKeys,
  changeKeys,
  expectKeys,
  optionKeys,
  summaryKeys,
  testFileKeys,
} from '../../src/input/plan-tests/test-keys.ts';
import {
  accountKeys,
  changePolicyKeys,
  entryKeys,
  fileKeys,
  freezeKeys,
  groupKeys,
  groupLimitKeys,
  groupPolicyKeys,
  type Keys,
  knownDriftKeys,
  limitKeys,
  policyKeys,
  protectKeys,
  ruleKeys,
  windowKeys,
} from '../../src/input/schema/file-keys.ts';
import { table } from './commands-page.ts';
import { emulatorTables } from './emulator-tables.ts';

/** The tables of docs/reference/desired-state.md. */
const formatTables: Readonly<Record<string, Keys>> = {
  file: fileKeys,
  account: accountKeys,
  entry: entryKeys,
  group: groupKeys,
  policy: policyKeys,
  limits: limitKeys,
};

/** The tables of docs/reference/policies.md. */
const policyTables: Readonly<Record<string, Keys>> = {
  protect: protectKeys,
  change: changePolicyKeys,
  windows: windowKeys,
  freeze: freezeKeys,
  groups: groupPolicyKeys,
  groupLimits: groupLimitKeys,
  testFile: testFileKeys,
  case: caseKeys,
  options: optionKeys,
  expect: expectKeys,
  changes: changeKeys,
  summary: summaryKeys,
};

/** A table that has more to say of a key than its meaning. */
export interface WideTable {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** The tables of each page of docs/, in their order. */
export const tablesOfPages: Readonly<Record<string, Readonly<Record<string, Keys | WideTable>>>> = {
  'reference/desired-state.md': formatTables,
  'reference/policies.md': policyTables,
  'reference/rules.md': { rule: ruleKeys },
  'guides/drift.md': { knownDrift: knownDriftKeys },
  'guides/emulator.md': emulatorTables,
};

const tables: Readonly<Record<string, Keys | WideTable>> = Object.assign({}, ...Object.values(tablesOfPages));

/** The page with every table between `<!-- keys: NAME -->` and `<!-- end -->` written anew. */
export function withKeyTables(page: string): string {
  return page.replaceAll(
    /<!-- keys: (\w+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- keys: ${name} -->\n${keyTable(name)}\n<!-- end -->`,
  );
}

function keyTable(name: string): string {
  const keys = tables[name];
  if (keys === undefined) throw new Error(`there is no table of keys called ${name}`);
  if (isWide(keys)) return table(keys.head, keys.rows);
  return table(
    ['key', 'meaning'],
    Object.entries(keys).map(([key, meaning]) => [`\`${key}\``, meaning]),
  );
}

function isWide(keys: Keys | WideTable): keys is WideTable {
  return Array.isArray(keys['rows']);
}
