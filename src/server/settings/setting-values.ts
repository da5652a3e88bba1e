import { isIP, isIPv6 } from 'node:net';
import type { LocalSource } from '../../accounts/config/read-token.ts';
import { type ConfigSection, type Key, line, type Setting, text } from '../../accounts/config/setting.ts';
import { compileSelector, selectorProblems } from '../../core/expression/compile-selector.ts';
import { isLoopback } from '../../core/lib/loopback.ts';

/** An https address, or plain http to this machine, without a slash at the end. */
export const address: Setting<string> = line({
  words: 'an https address without user, query and fragment',
  hint: 'write, for example, https://rampart.example.com; plain http is allowed only for this machine',
  parse(given) {
    // The parser would accept capitals, blanks and backslashes, but later code compares the beginning of the text.
    const url = /^https?:\/\/[^\s\\]+$/.test(given) ? URL.parse(given) : null;
    if (url === null || url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
      return undefined;
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname));
    return isSafe ? given.replace(/\/+$/, '') : undefined;
  },
});

export const mailAddress: Setting<string> = line({
  words: 'an email address',
  parse: (given) => (/^[^\s@<>,;"]+@[^\s@<>,;"]+$/.test(given) ? given : undefined),
});

export const listenAddress = line({
  words: 'an address and a port such as 127.0.0.1:8080',
  hint: 'write an IPv6 address in brackets: [::1]:8080',
  parse: parseListen,
});

/** Port 0 is any free port. */
function parseListen(given: string) {
  const [, bracketed, plain, digits] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(given) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535) return undefined;
  const isValid = bracketed === undefined ? host === 'localhost' || isIP(host) === 4 : isIPv6(host);
  return isValid ? { host, port } : undefined;
}

export type AllowedAddressSetting =
  | { readonly kind: 'host'; readonly host: string }
  | { readonly kind: 'network'; readonly address: string; readonly prefix: number };

export const allowedAddress = line<AllowedAddressSetting>({
  words: 'a host name, an IP address or a network such as 10.0.0.0/8',
  parse(given) {
    const [at = '', digits, more] = given.split('/');
    const version = isIP(at);
    if (more !== undefined) return undefined;
    if (version === 0) {
      const isName = digits === undefined && /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/i.test(at);
      return isName ? { kind: 'host', host: at.toLowerCase() } : undefined;
    }
    const most = version === 4 ? 32 : 128;
    const prefix = digits === undefined ? most : /^\d{1,3}$/.test(digits) ? Number(digits) : most + 1;
    return prefix <= most ? { kind: 'network', address: at, prefix } : undefined;
  },
});

/** A CEL expression over these labels, and `name`. */
export function selector(labels: ReadonlySet<string>): Setting<string> {
  return {
    schema: text.schema,
    read(reading, member, what) {
      const given = text.read(reading, member, what);
      if (given === undefined) return undefined;
      const compiled = compileSelector(given, labels);
      if (compiled.ok) return given;
      const place = reading.source.placeOf(member.value);
      for (const each of selectorProblems(compiled.faults, labels, what, place)) reading.problems.add(each);
      return undefined;
    },
  };
}

/**
 * Variables with secrets of the server. Keys of accounts and other secrets of the environment must not match, because
 * the values are sent to the services that the settings name.
 */
const secretVariable = /^RAMPART_[A-Z0-9_]{1,50}_(?:SECRET|TOKEN|PASSWORD|URL)$/;
const reserved = new Set(['RAMPART_STATE_URL', 'RAMPART_BASE_URL']);

const variable: Setting<string> = line({
  words: 'the name of a variable that starts with RAMPART_ and ends with _SECRET, _TOKEN, _PASSWORD or _URL',
  parse: (given) => (secretVariable.test(given) && !reserved.has(given) ? given : undefined),
});

type SecretKeys<N extends string> = { readonly [K in `${N}File` | `${N}Variable`]: Key<string> };

/** The two keys of a secret: `tokenFile` and `tokenVariable`. */
export function secretKeys<N extends string>(name: N, what: string): SecretKeys<N> {
  return {
    [`${name}File`]: { is: text, meaning: `The file that holds ${what}, as one line.` },
    [`${name}Variable`]: {
      is: variable,
      meaning: `The environment variable that holds ${what}: RAMPART_…, ending with _SECRET, _TOKEN, _PASSWORD or _URL.`,
    },
  } as SecretKeys<N>;
}

/** The location of a secret; undefined if neither key is given. Both are refused. */
export function secretSetting<N extends string>(
  name: N,
  values: { readonly [K in `${N}File` | `${N}Variable`]?: string },
  { refuse }: ConfigSection,
): LocalSource | undefined {
  const found = values as Readonly<Record<string, string | undefined>>;
  const file = found[`${name}File`];
  const named = found[`${name}Variable`];
  if (file !== undefined && named !== undefined) {
    return refuse(
      `${name}Variable`,
      `"${name}File" and "${name}Variable" are both set`,
      'remove one of them',
    );
  }
  if (file !== undefined) return { kind: 'file', file };
  return named === undefined ? undefined : { kind: 'variable', variable: named };
}
