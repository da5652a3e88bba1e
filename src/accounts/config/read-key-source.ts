import { defined } from '../../core/lib/defined.ts';
import { looksLikeKey } from '../../core/lib/typed-secrets.ts';
import { report } from '../../input/values/reading.ts';
import type { KeySource, VaultLogin, VaultSecret } from './account-config.ts';
import { lineOf, secretHint, secretMessage } from './config-reading.ts';
import { type ConfigSection, type Setting, section, text } from './setting.ts';

/**
 * The variables that a file may name. Their values are sent to the service or to Vault, so other secrets of the
 * environment must not match, whoever wrote the file.
 */
const variableNames = {
  key: { pattern: /^(?:RAMPART_PSK(?:_\w+)?|\w+_PSK)$/, words: 'RAMPART_PSK, or end with _PSK' },
  session: {
    pattern: /^(?:RAMPART_SESSION_ID(?:_\w+)?|\w+_SESSION_ID)$/,
    words: 'RAMPART_SESSION_ID, or end with _SESSION_ID',
  },
  profile: {
    pattern: /^(?:RAMPART_PROFILE_ID(?:_\w+)?|\w+_PROFILE_ID)$/,
    words: 'RAMPART_PROFILE_ID, or end with _PROFILE_ID',
  },
  token: { pattern: /^(?:\w+_)?VAULT_TOKEN$/, words: 'VAULT_TOKEN, or end with _VAULT_TOKEN' },
  jwt: { pattern: /^\w+_(?:ID_TOKEN|JWT)$/, words: 'a name that ends with _ID_TOKEN or _JWT' },
} as const;
type VariableKind = keyof typeof variableNames;
const longestVariable = 64;

/** Is this the name of a variable that an account may take its key from? */
export function isPskVariable(name: string): boolean {
  return isNameOf('key', name);
}

function isNameOf(kind: VariableKind, name: string): boolean {
  return name.length <= longestVariable && variableNames[kind].pattern.test(name);
}

/** Replaces the patterns of `defaults`. */
export type Fill = (text: string) => string;

/** `key:`, the location of a key. */
export function keySource(fill: Fill): Setting<KeySource> {
  const file = pathOfKey(fill);
  const location = section(
    {
      variable: {
        is: variableName('key', fill),
        meaning:
          'The environment variable that holds the key: RAMPART_PSK, or a name that ends with _PSK. NAME_FILE can name a file with the key instead.',
      },
      file: { is: file, meaning: 'The file that holds the key, as one line.' },
      command: {
        is: command(fill),
        meaning:
          'A program and its arguments; the program prints the key. Needs RAMPART_ALLOW_KEY_COMMANDS=1.',
      },
      vault: {
        is: vaultSecret(fill),
        meaning: 'A secret in the KV version 2 engine of HashiCorp Vault or OpenBao.',
      },
      sessionIdVariable: {
        is: variableName('session', fill),
        meaning: 'The environment variable that holds the id of a login session.',
      },
      profileIdVariable: {
        is: variableName('profile', fill),
        meaning: 'The environment variable that holds the profile id of a login session.',
      },
    },
    (values, { refuse }): KeySource | undefined => {
      const { sessionIdVariable, profileIdVariable, ...locations } = values;
      const [only, ...others] = toSources(locations);
      const isSession = sessionIdVariable !== undefined && profileIdVariable !== undefined;
      if (isSession && only === undefined) return { kind: 'session', sessionIdVariable, profileIdVariable };
      const isPartOfSession = sessionIdVariable !== undefined || profileIdVariable !== undefined;
      if (only !== undefined && others.length === 0 && !isPartOfSession) return only;
      return refuse(
        null,
        '"key" must name exactly one location',
        'write one of variable, file, command and vault, or both sessionIdVariable and profileIdVariable',
        'configuration',
      );
    },
  );
  return {
    schema: location.schema,
    read: (reading, given, what) =>
      given.value.kind === 'scalar'
        ? report(reading, given.value, 'configuration', secretMessage, { hint: secretHint })
        : location.read(reading, given, what),
  };
}

function toSources({
  variable,
  file,
  command: words,
  vault,
}: {
  readonly variable?: string;
  readonly file?: string;
  readonly command?: readonly string[];
  readonly vault?: VaultSecret;
}): readonly KeySource[] {
  return [
    ...(variable === undefined ? [] : [{ kind: 'variable', variable } as const]),
    ...(file === undefined ? [] : [{ kind: 'file', file } as const]),
    ...(words === undefined ? [] : [{ kind: 'command', command: words } as const]),
    ...(vault === undefined ? [] : [{ kind: 'vault', vault } as const]),
  ];
}

function filled(fill: Fill): Setting<string> {
  return {
    ...text,
    read(reading, given, what) {
      const found = lineOf(reading, given, what);
      return found === undefined ? undefined : fill(found);
    },
  };
}

function pathOfKey(fill: Fill): Setting<string> {
  const path = filled(fill);
  return {
    schema: path.schema,
    read(reading, given, what) {
      const found = path.read(reading, given, what);
      if (found === undefined || !looksLikeKey(found)) return found;
      return report(reading, given.value, 'configuration', secretMessage, { hint: secretHint });
    },
  };
}

function variableName(kind: VariableKind, fill: Fill): Setting<string> {
  return {
    schema: text.schema,
    read(reading, given) {
      const found = lineOf(reading, given, 'the name of a variable');
      if (found === undefined) return undefined;
      const name = fill(found);
      if (isNameOf(kind, name)) return name;
      const message = `this must be the name of an environment variable: ${variableNames[kind].words}`;
      return report(reading, given.value, 'configuration', message, {
        hint: 'the file must not contain a key or refer to other secrets in the environment',
      });
    },
  };
}

function command(fill: Fill): Setting<readonly string[]> {
  return {
    schema: { type: 'array', items: { type: 'string' }, minItems: 1 },
    read(reading, { value }, what) {
      const words = value.kind === 'sequence' ? value.items : [];
      if (words.length === 0) {
        return report(reading, value, 'wrong-type', `${what} must be a list: a program and its arguments`, {
          hint: 'write, for example, command: [op, read, "op://keys/berlin/psk"]; no shell is used',
        });
      }
      const found = words.flatMap((each) => lineOf(reading, { value: each }, `an argument of ${what}`) ?? []);
      return found.length < words.length ? undefined : found.map(fill);
    },
  };
}

/** A path of Vault, without slashes at its ends. */
function vaultPath(fill: Fill): Setting<string> {
  return {
    ...text,
    read(reading, given, what) {
      const found = lineOf(reading, given, what);
      if (found === undefined) return undefined;
      const path = fill(found).replace(/^\/+|\/+$/g, '');
      const isPath = path.split('/').every((each) => /^[^?#%\\]+$/.test(each) && !/^\.{1,2}$/.test(each));
      if (isPath) return path;
      return report(reading, given.value, 'invalid-value', `${what} must be a path such as rampart/berlin`);
    },
  };
}

function vaultSecret(fill: Fill): Setting<VaultSecret> {
  const path = vaultPath(fill);
  return section(
    {
      address: {
        is: text,
        meaning: "The server's address, such as https://vault.example.com. Its origin must be pinned.",
        required: true,
      },
      mount: { is: path, meaning: 'The mount of the KV version 2 engine.', byDefault: 'secret' },
      path: { is: path, meaning: 'The path of the secret below the mount.', required: true },
      field: { is: filled(fill), meaning: 'The field of the secret that holds the key.', byDefault: 'psk' },
      namespace: { is: path, meaning: 'The namespace, if the server has namespaces.' },
      login: {
        is: vaultLogin(fill),
        meaning: 'How to log in: tokenVariable, tokenFile or jwt.',
        required: true,
      },
    },
    (values) => values,
  );
}

function vaultLogin(fill: Fill): Setting<VaultLogin> {
  const jwt = section(
    {
      mount: { is: text, meaning: 'The mount of the JWT method.', byDefault: 'jwt' },
      role: { is: filled(fill), meaning: 'The role to log in with.', required: true },
      tokenVariable: {
        is: variableName('jwt', fill),
        meaning:
          'The environment variable that holds the JSON Web Token: a name that ends with _ID_TOKEN or _JWT.',
      },
      tokenFile: { is: filled(fill), meaning: 'The file that holds the JSON Web Token.' },
    },
    ({ mount, role, tokenVariable: variable, tokenFile: file }, at): VaultLogin | undefined => {
      const [token, ...others] = toSources(defined({ variable, file }));
      if (token === undefined || others.length > 0) return oneToken(at);
      return { kind: 'jwt', mount, role, token };
    },
  );
  return section(
    {
      tokenVariable: {
        is: variableName('token', fill),
        meaning:
          'The environment variable that holds the token: VAULT_TOKEN, or a name that ends with _VAULT_TOKEN.',
      },
      tokenFile: { is: filled(fill), meaning: 'The file that holds the token.' },
      jwt: { is: jwt, meaning: 'A login with a JSON Web Token.' },
    },
    ({ tokenVariable: variable, tokenFile: file, jwt: login }, at): VaultLogin | undefined => {
      const logins: readonly VaultLogin[] = [
        ...(variable === undefined ? [] : [{ kind: 'token', variable } as const]),
        ...(file === undefined ? [] : [{ kind: 'token-file', file } as const]),
        ...(login === undefined ? [] : [login]),
      ];
      return logins.length === 1 ? logins[0] : oneToken(at);
    },
  );
}

function oneToken({ refuse }: Pick<ConfigSection, 'refuse'>): undefined {
  return refuse(
    null,
    'the login must name exactly one token',
    'write one of tokenVariable, tokenFile and jwt',
    'configuration',
  );
}
