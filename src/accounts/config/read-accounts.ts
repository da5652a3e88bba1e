import { defined } from '../../core/lib/defined.ts';
import { compareNaturally } from '../../core/lib/natural-order.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { bareAddress } from '../../core/model/account.ts';
import { asWarning, failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import type { Member } from '../../input/sources/source-text.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import type { Aliases } from '../../service/client/aliases.ts';
import type { AccountConfig } from './account-config.ts';
import { accountNameWords, isAccountName } from './account-name.ts';
import {
  type ConfigFile,
  type ConfigFolder,
  configFileName,
  openConfigFolder,
  withEdited,
} from './config-folder.ts';
import { aliasSettings, configKeys } from './config-keys.ts';
import { linesOf, parseConfigText, readKeys, readMembersOf } from './config-reading.ts';
import {
  type AccountSettings,
  accountSettings,
  defaultSettings,
  includedAccount,
  noSettings,
} from './read-account.ts';
import { type RolloutConfig, rolloutSettings } from './rollout-config.ts';
import type { Setting } from './setting.ts';

export interface AccountsFile {
  /** In the natural order of their names, in which every command lists them. */
  readonly accounts: readonly AccountConfig[];
  readonly aliases: Aliases;
  /** It comes from the commit that the operator named, so its addresses and keys are trusted. */
  readonly isReviewed: boolean;
  readonly rollout?: RolloutConfig;
  /** Every label that any account has. */
  readonly labels: ReadonlySet<string>;
}

export interface ConfigLocation {
  readonly folder: string;
  readonly env: Environment;
  /** A file that would be written: it is read in place of the one in the folder. */
  readonly edited?: ConfigFile;
}

/** Reads rampart.config.yaml and the account files that it includes. Without rampart.config.yaml there are no accounts. */
export async function readAccounts({ folder, env, edited }: ConfigLocation): Promise<Result<AccountsFile>> {
  const opened = await openConfigFolder(folder, env);
  if (!opened.ok) return opened;
  const place = edited === undefined ? opened.value : withEdited(opened.value, edited);
  const main = await place.readMain();
  return main.ok ? readConfig(place, main.value) : main;
}

/** Reads only the aliases, which hold without an account too. */
export async function readAliases({ folder, env }: ConfigLocation): Promise<Result<Aliases>> {
  const opened = await openConfigFolder(folder, env);
  const main = opened.ok ? await opened.value.readMain() : opened;
  if (!main.ok) return ok({}, main.problems.map(asWarning));
  if (main.value === null) return ok({});
  const parsed = parseConfigText(configFileName, main.value);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const members = readKeys(reading, root, configFileName, configKeys);
  const aliases = valueOf(reading, aliasSettings, members?.aliases) ?? {};
  const problems = reading.problems.all();
  return problems.length > 0 ? failed(...problems) : ok(aliases);
}

async function readConfig(folder: ConfigFolder, bytes: Uint8Array | null): Promise<Result<AccountsFile>> {
  const { isReviewed } = folder;
  if (bytes === null) return ok({ accounts: [], aliases: {}, isReviewed, labels: new Set<string>() });
  const parsed = parseConfigText(configFileName, bytes);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const members = readKeys(reading, root, configFileName, configKeys) ?? {};
  const aliases = valueOf(reading, aliasSettings, members.aliases) ?? {};
  const defaults = valueOf(reading, defaultSettings, members.defaults) ?? noSettings;
  const rollout = valueOf(reading, rolloutSettings, members.rollout);
  const toAccount = accountMaker(defaults, { aliases, isReviewed });
  const named = readNamed(reading, members.accounts, toAccount);
  const files = await folder.readMatching(readPatterns(reading, members.include));
  if (!files.ok) return failed(...reading.problems.all(), ...files.problems);
  const included = files.value.map((file) => readIncluded(file, toAccount));
  const accounts = [...named, ...included.flatMap((each) => (each.ok ? each.value : []))];
  const wrong = [...reading.problems.all(), ...included.flatMap(({ problems }) => problems)];
  const problems = wrong.length > 0 ? wrong : findConflicts(accounts);
  if (problems.length > 0) return failed(...problems);
  const labels = new Set(accounts.flatMap((each) => Object.keys(each.labels)));
  return ok({
    accounts: accounts
      .map((each) => ({ ...each, configuredLabels: labels }))
      .sort((a, b) => compareNaturally(a.name, b.name)),
    aliases,
    isReviewed,
    ...(rollout !== undefined && { rollout }),
    labels,
  });
}

/** Undefined if the key is missing, or after a problem was reported. */
function valueOf<T>(reading: Reading, setting: Setting<T>, member: Member | undefined): T | undefined {
  return member && setting.read(reading, member, `"${member.key.text}"`);
}

interface Named {
  readonly name: string;
  readonly span: { readonly start: number; readonly end: number };
}

type ToAccount = (reading: Reading, name: Named, own: AccountSettings) => AccountConfig | undefined;

/** Adds the defaults to the settings of one account. */
function accountMaker(
  defaults: AccountSettings,
  shared: Pick<AccountConfig, 'aliases' | 'isReviewed'>,
): ToAccount {
  return (reading, { name, span }, own) => {
    if (!isAccountName(name)) {
      return report(reading, span, 'invalid-value', 'the name of an account is not valid', {
        hint: accountNameWords,
      });
    }
    const { companyId, baseUrl = defaults.baseUrl, auth = defaults.auth, source = defaults.source } = own;
    const { ticket = defaults.ticket } = own;
    const key = own.key?.(name) ?? defaults.key?.(name);
    const files = [...defaults.files(name), ...own.files(name)];
    const mode = own.mode ?? defaults.mode ?? 'propose';
    if (ticket !== undefined && mode === 'correct') {
      report(
        reading,
        span,
        'invalid-value',
        `the account "${name}" needs a ticket, so its mode can't be correct`,
        {
          hint: 'use mode: propose, in which the person who approves a plan enters the ticket',
        },
      );
    }
    const isMissing = companyId === undefined && own.places['companyId'] === undefined;
    if (isMissing && key?.kind !== 'session') {
      report(reading, span, 'missing-key', `the account "${name}" needs "companyId"`, {
        hint: "copy it from the API tab of the account's configuration",
      });
    }
    return {
      ...shared,
      name,
      ...defined({ baseUrl, companyId, auth, key, source, ticket }),
      files: files.map(({ path }) => path),
      labels: { ...defaults.labels, ...own.labels },
      configuredLabels: new Set<string>(),
      mode,
      limits: { ...defaults.limits, ...own.limits },
      windows: [...defaults.windows, ...own.windows],
      place: reading.source.placeOf(span),
      places: {
        ...defaults.places,
        ...own.places,
        ...Object.fromEntries(files.map((each) => [`files.${each.path}`, each.place])),
      },
    };
  };
}

function readNamed(
  reading: Reading,
  member: Member | undefined,
  toAccount: ToAccount,
): readonly AccountConfig[] {
  if (member === undefined) return [];
  const members = readMembersOf(reading, member.value, '"accounts"') ?? [];
  return members.flatMap((each) => {
    const { key } = each;
    const own = isAccountName(key.text)
      ? accountSettings.read(reading, each, `the account "${key.text}"`)
      : noSettings;
    return (own && toAccount(reading, { name: key.text, span: key }, own)) ?? [];
  });
}

function readIncluded({ path, bytes }: ConfigFile, toAccount: ToAccount): Result<readonly AccountConfig[]> {
  const parsed = parseConfigText(path, bytes);
  if (!parsed.ok) return parsed;
  const { reading, root } = parsed.value;
  const read = includedAccount.read(reading, { value: root }, `the account in ${path}`);
  const name = read?.name ?? { text: nameOfPath(path), span: { start: 0, end: 0 } };
  const account =
    name.text === undefined || read === undefined
      ? undefined
      : toAccount(reading, { name: name.text, span: name.span }, read.settings);
  const problems = reading.problems.all();
  return problems.length > 0 || account === undefined ? failed(...problems) : ok([account]);
}

/** `accounts/berlin/account.yaml` and `accounts/berlin.yaml` are both the account `berlin`. */
function nameOfPath(path: string): string {
  const parts = path.split('/');
  const file = (parts.at(-1) ?? '').replace(/\.ya?ml$/, '');
  return file === 'account' ? (parts.at(-2) ?? file) : file;
}

function readPatterns(reading: Reading, member: Member | undefined): readonly string[] {
  if (member === undefined) return [];
  return linesOf(reading, member, '"include"').flatMap(({ text: pattern, node }) => {
    const segments = pattern.split('/');
    const isInside = segments.every(
      (each) => each !== '' && each !== '.' && each !== '..' && !each.includes('**'),
    );
    if (isInside && !pattern.includes('\\') && /\.ya?ml$/.test(pattern)) return [pattern];
    report(reading, node, 'invalid-value', '"include" has a pattern that is not valid', {
      hint: 'write paths below the folder of rampart.config.yaml, such as accounts/*/account.yaml; "*" stands for a part of one name',
    });
    return [];
  });
}

/** The problem of a command that needs accounts where there are none. */
export function noAccounts(isReviewed: boolean): Problem {
  return problem(
    'configuration',
    `there are no accounts: ${configFileName} ${isReviewed ? 'of the reviewed commit' : 'of this folder'} has none, or does not exist`,
    {
      hint: `run the command in the folder of ${configFileName}, or add an account with: rampart accounts add NAME`,
    },
  );
}

/** Accounts that share a name, or a company ID at one address. Names that differ only in case would share files. */
function findConflicts(accounts: readonly AccountConfig[]): readonly Problem[] {
  const problems: Problem[] = [];
  const byName = new Map<string, AccountConfig>();
  const byCompany = new Map<string, AccountConfig>();
  for (const account of accounts) {
    const { name, companyId, baseUrl = '', place } = account;
    const first = byName.get(name.toLowerCase());
    if (first === undefined) byName.set(name.toLowerCase(), account);
    else {
      problems.push(
        problem(
          'duplicate-name',
          `two accounts have the name "${name}"${first.name === name ? '' : ` (also written "${first.name}")`}`,
          {
            place,
            hint: 'give each account a name that is unique regardless of letter case',
            related: [first.place],
          },
        ),
      );
    }
    if (companyId === undefined) continue;
    const key = `${addressOf(baseUrl)} ${companyId}`;
    const earlier = byCompany.get(key);
    if (earlier === undefined) byCompany.set(key, account);
    else if (earlier.name !== name) {
      problems.push(
        problem(
          'configuration',
          `the accounts "${earlier.name}" and "${name}" have the same company ID and address`,
          {
            place,
            hint: 'remove one of them, or correct its companyId',
            related: [earlier.place],
          },
        ),
      );
    }
  }
  return problems;
}

function addressOf(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  return url === null ? baseUrl : bareAddress(url);
}
