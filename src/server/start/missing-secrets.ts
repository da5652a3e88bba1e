import type { AccountConfig } from '../../accounts/config/account-config.ts';
import { keySourceOf } from '../../accounts/config/read-key.ts';
import { type LocalSource, readLocal } from '../../accounts/config/read-token.ts';
import type { SecretReader } from '../../core/lib/surroundings.ts';
import { count } from '../../core/lib/words.ts';
import { type Problem, warning } from '../../core/problem/problem.ts';
import { checkAddress } from '../../service/client/guarded-fetch.ts';
import { registerProblems } from '../../service/registers/register-settings.ts';
import { readSecret } from '../settings/read-secret.ts';
import type { ServerSettings } from '../settings/server-settings.ts';

type Secrets = Omit<SecretReader, 'folder'> & { readonly settings: ServerSettings };

/** How many accounts with missing keys are named one by one. */
const mostNamed = 20;

/** Every secret of the server itself that can't be read or used, at its place in the configuration. */
export function missingSecrets({ settings, ...reader }: Secrets): readonly Problem[] {
  const registers = settings.registers.flatMap(({ name, place }) =>
    registerProblems(name, { ...reader, folder: settings.folder }).map((each) => ({
      ...each,
      message: `the register "${name}": ${each.message}`,
      place,
    })),
  );
  const secrets = secretsOf(settings).flatMap(({ what, source, place, isAddress }) => {
    const read = readSecret(source, what, { ...reader, folder: settings.folder });
    const used = read.ok && isAddress ? checkAddress(read.value, settings.allow) : read;
    return used.problems.map((each) => ({
      ...each,
      message: used === read ? each.message : `${what}: ${each.message}`,
      place,
    }));
  });
  return [...secrets, ...registers];
}

/**
 * A warning for each account whose key is in a variable or a file that can't be read: one account must not block the
 * checks of the others. Commands and Vault are called only by the check of the account.
 */
export function missingKeys({ settings, env }: Secrets): readonly Problem[] {
  const found = settings.accounts.flatMap((account) => keyProblem(account, settings.folder, env) ?? []);
  const left = found.length - mostNamed;
  if (left <= 0) return found;
  const message = `the keys of ${count(left, 'more account')} can't be read`;
  return [
    ...found.slice(0, mostNamed),
    warning('missing-credentials', message, { hint: 'list them with: rampart accounts check' }),
  ];
}

function keyProblem(
  { name, key, place, places }: AccountConfig,
  folder: string,
  env: Secrets['env'],
): Problem | undefined {
  const source = key === undefined ? keySourceOf(env) : ({ ok: true, value: key } as const);
  const at = places['key'] ?? place;
  const report = (why: string, hint: string | undefined) =>
    warning('missing-credentials', `the account "${name}" has no key, so its checks fail: ${why}`, {
      place: at,
      ...(hint === undefined ? {} : { hint }),
    });
  if (!source.ok) return report(source.problems[0]?.message ?? '', source.problems[0]?.hint);
  if (source.value === null)
    return report('neither "key" nor RAMPART_PSK nor RAMPART_PSK_FILE is set', 'add "key" to the account');
  if (source.value.kind !== 'variable' && source.value.kind !== 'file') return undefined;
  const read = readLocal(source.value, { env, folder });
  if (!read.ok) return report(read.problems[0]?.message ?? '', read.problems[0]?.hint);
  if (read.value !== undefined) return undefined;
  const variable = source.value.kind === 'variable' ? source.value.variable : source.value.file;
  return report(`the variable ${variable} is not set`, `set ${variable}_FILE or ${variable}`);
}

interface NamedSecret {
  readonly what: string;
  readonly source: LocalSource;
  readonly place: Problem['place'] & object;
  /** It is an address to which the server sends messages. */
  readonly isAddress: boolean;
}

function secretsOf({ login, sources, notifications }: ServerSettings): readonly NamedSecret[] {
  const found: NamedSecret[] = [];
  const add = (
    what: string,
    source: LocalSource | undefined,
    place: NamedSecret['place'],
    isAddress = false,
  ) => {
    if (source !== undefined) found.push({ what, source, place, isAddress });
  };
  if (login !== undefined) {
    const place = login.roles[0]?.place ?? { file: 'rampart.config.yaml', line: 1, col: 1 };
    add('the client secret of "login"', login.clientSecret, place);
  }
  for (const source of sources) {
    if (source.kind !== 'git') continue;
    add(`the token of the source "${source.name}"`, source.token, source.place);
    add(`the webhook secret of the source "${source.name}"`, source.webhookSecret, source.place);
    add(`the forge token of the source "${source.name}"`, source.forge?.token, source.place);
  }
  for (const each of notifications) {
    const what = `of the notification "${each.name}"`;
    if (each.kind === 'email') {
      add(`the password ${what}`, each.smtp.password, each.place);
    } else {
      add(`the address ${what}`, each.url, each.place, true);
      add(`the secret ${what}`, each.secret, each.place);
    }
  }
  return found;
}
