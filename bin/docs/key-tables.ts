import { rolloutEventRows } from '../../src/accounts/rollouts/rollout-event-schema.ts';
import {
  accountKeys as caseAccountKeys,
  caseKeys,
  changeKeys,
  expectKeys,
  type KeyDescriptions,
  optionKeys,
  summaryKeys,
  testFileKeys,
} from '../../src/input/plan-tests/test-keys.ts';
import { entryFields } from '../../src/input/schema/entry-fields.ts';
import { meaningsOf } from '../../src/input/schema/field.ts';
import * as files from '../../src/input/schema/file-fields.ts';
import * as policies from '../../src/input/schema/policy-fields.ts';
import * as tableKeys from '../../src/input/schema/table-fields.ts';
import { decisionTable } from './decision-table.ts';
import { emulatorTables } from './emulator-tables.ts';
import { serverTables } from './server-tables.ts';
import { table, type WideTable } from './table.ts';

/** The tables of docs/reference/desired-state.md. */
const formatTables: Readonly<Record<string, KeyDescriptions>> = {
  file: meaningsOf(files.fileFields),
  account: meaningsOf(files.accountFields),
  entry: meaningsOf(entryFields),
  group: meaningsOf(files.groupFields),
  identity: meaningsOf(files.identityFields),
  policy: meaningsOf(policies.policyFields),
  limits: meaningsOf(policies.limitFields),
};

/** The tables of docs/reference/policies.md. */
const policyTables: Readonly<Record<string, KeyDescriptions>> = {
  protect: meaningsOf(policies.protectFields),
  change: meaningsOf(policies.changePolicyFields),
  windows: meaningsOf(policies.windowFields),
  freeze: meaningsOf(policies.freezeFields),
  groups: meaningsOf(policies.groupPolicyFields),
  groupLimits: meaningsOf(policies.groupLimitFields),
  testFile: testFileKeys,
  case: caseKeys,
  caseAccount: caseAccountKeys,
  options: optionKeys,
  expect: expectKeys,
  changes: changeKeys,
  summary: summaryKeys,
};

/** The tables of each page of docs/, in their order. */
export const tablesOfPages: Readonly<Record<string, Readonly<Record<string, KeyDescriptions | WideTable>>>> =
  {
    'reference/desired-state.md': formatTables,
    'reference/policies.md': policyTables,
    'reference/rules.md': { rule: meaningsOf(files.ruleFields), stage: meaningsOf(files.stageFields) },
    'reference/tables.md': {
      table: meaningsOf(tableKeys.tableFields),
      tableLimits: meaningsOf(tableKeys.tableLimitFields),
      tableColumn: meaningsOf(tableKeys.columnFields),
      paging: meaningsOf(tableKeys.pagingFields),
    },
    'guides/drift.md': { knownDrift: meaningsOf(files.knownDriftFields) },
    'guides/emulator.md': emulatorTables,
    'guides/server.md': { decisions: decisionTable() },
    'reference/configuration.md': serverTables,
    'guides/many-accounts.md': {
      rolloutEvents: { head: ['type', 'fields', 'meaning'], rows: rolloutEventRows() },
    },
  };

const tables: Readonly<Record<string, KeyDescriptions | WideTable>> = Object.assign(
  {},
  ...Object.values(tablesOfPages),
);

/** The page with every table between `<!-- keys: NAME -->` and `<!-- end -->` replaced. */
export function withKeyTables(page: string): string {
  return page.replaceAll(
    /<!-- keys: (\w+) -->\n[\s\S]*?<!-- end -->/g,
    (_, name: string) => `<!-- keys: ${name} -->\n${keyTable(name)}\n<!-- end -->`,
  );
}

function keyTable(name: string): string {
  const named = tables[name];
  if (named === undefined) throw new Error(`there is no table of keys called ${name}`);
  if (isWide(named)) return table(named.head, named.rows);
  return table(
    ['key', 'meaning'],
    Object.entries(named).map(([key, meaning]) => [`\`${key}\``, meaning]),
  );
}

function isWide(named: KeyDescriptions | WideTable): named is WideTable {
  return Array.isArray(named['rows']);
}
