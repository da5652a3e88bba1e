import { describe, expect, it } from 'vitest';
import type { AccountConfig } from '../../../src/accounts/config/account-config.ts';
import { touchedAccounts } from '../../../src/accounts/config/touched-accounts.ts';
import { tableEndings } from '../../../src/input/sources/read-endings.ts';

function account(name: string, files: readonly string[], own = 'rampart.config.yaml'): AccountConfig {
  return {
    name,
    files,
    labels: {},
    configuredLabels: new Set(),
    mode: 'propose',
    limits: {},
    windows: [],
    place: { file: own, line: 1, col: 1 },
    places: {},
    aliases: {},
    isReviewed: false,
  };
}

const accounts = [
  account('berlin', ['shared/', 'sites/berlin.yaml']),
  account('wien', ['shared', './sites/wien.yaml']),
  account('oslo', ['sites/oslo'], 'accounts/oslo/account.yaml'),
  account('plain', []),
];

const touched = (...changed: readonly string[]) =>
  touchedAccounts(accounts, changed).map((each) => [each.account.name, each.because]);
const all = (because: string) => accounts.map(({ name }) => [name, because]);

describe('touchedAccounts', () => {
  it.each<readonly [string, readonly string[], readonly (readonly string[])[]]>([
    ['nothing without a change', [], []],
    ['only the account that names a file', ['sites/wien.yaml'], [['wien', 'sites/wien.yaml']]],
    ['a file in a folder of an account', ['sites/oslo/deep/a.yaml'], [['oslo', 'sites/oslo/deep/a.yaml']]],
    ['no account for a longer name', ['sites/oslo2.md', 'sites/berlin.yaml.md'], []],
    [
      'each account that names a shared folder',
      ['shared/rules.yaml'],
      [
        ['berlin', 'shared/rules.yaml'],
        ['wien', 'shared/rules.yaml'],
      ],
    ],
    ['the account of its file', ['accounts/oslo/account.yaml'], [['oslo', 'accounts/oslo/account.yaml']]],
    ['an account without files by the usual names', ['fleet/x.yaml'], [['plain', 'fleet/x.yaml']]],
    ['all accounts for the configuration', ['rampart.config.yaml'], all('rampart.config.yaml')],
    ...tableEndings.map((ending) => {
      const table = `tables/assets.${ending}`;
      return [`all accounts for a table in ${ending} that none lists`, [table], all(table)] as const;
    }),
    ['all accounts for a module that none lists', ['lib/names.ts'], all('lib/names.ts')],
    ['no account for texts, tests, hidden files', ['README.md', 'a.rampart-test.yaml', '.github/ci.yml'], []],
  ])('finds %s', (_, changed, expected) => expect(touched(...changed)).toEqual(expected));

  it("lists the account's own file before a shared one", () =>
    expect(touched('rampart.config.yaml', 'sites/wien.yaml')[1]).toEqual(['wien', 'sites/wien.yaml']));
});
