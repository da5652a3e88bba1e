import type { YamlNode } from '../../input/sources/yaml-tree.ts';
import { type Reading, report } from '../../input/values/reading.ts';
import type { KeySource, VaultLogin, VaultSecret } from './account-config.ts';
import { jwtKeys, keyKeys, loginKeys, vaultKeys } from './account-keys.ts';
import { type Found, lineOf, readKeys, secretHint, secretMessage } from './config-reading.ts';

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

type Fill = (text: string) => string;

/** Reads `key:`. `fill` replaces the patterns of `defaults`. */
export function readKeySource(reading: Reading, node: YamlNode, fill: Fill): KeySource | undefined {
  if (node.kind === 'scalar')
    return report(reading, node, 'configuration', secretMessage, { hint: secretHint });
  const members = readKeys(reading, node, '"key"', keyKeys);
  if (members === undefined) return undefined;
  const { sessionIdVariable, profileIdVariable } = members;
  if (
    sessionIdVariable !== undefined &&
    profileIdVariable !== undefined &&
    Object.keys(members).length === 2
  ) {
    const session = variableOf(reading, sessionIdVariable, 'session', fill);
    const profile = variableOf(reading, profileIdVariable, 'profile', fill);
    if (session === undefined || profile === undefined) return undefined;
    return { kind: 'session', sessionIdVariable: session, profileIdVariable: profile };
  }
  const [only, ...others] = Object.keys(members);
  if (
    only === undefined ||
    others.length > 0 ||
    sessionIdVariable !== undefined ||
    profileIdVariable !== undefined
  ) {
    return reading.problems.all().length > 0 && only === undefined
      ? undefined
      : report(reading, node, 'configuration', '"key" must name exactly one location', {
          hint: 'write one of variable, file, command and vault, or both sessionIdVariable and profileIdVariable',
        });
  }
  return readLocation(reading, members, fill);
}

function readLocation(reading: Reading, members: Found<typeof keyKeys>, fill: Fill): KeySource | undefined {
  if (members.variable !== undefined) {
    const variable = variableOf(reading, members.variable, 'key', fill);
    return variable === undefined ? undefined : { kind: 'variable', variable };
  }
  if (members.file !== undefined) {
    const file = lineOf(reading, members.file, 'file');
    return file === undefined ? undefined : { kind: 'file', file: fill(file) };
  }
  if (members.command !== undefined) {
    const { value } = members.command;
    const words = value.kind === 'sequence' ? value.items : [];
    const command = words.flatMap(
      (word) => lineOf(reading, { value: word }, 'an argument of "command"') ?? [],
    );
    if (command.length === 0 || command.length < words.length) {
      return words.length > 0
        ? undefined
        : report(reading, value, 'wrong-type', '"command" must be a list: a program and its arguments', {
            hint: 'write, for example, command: [op, read, "op://keys/berlin/psk"]; no shell is used',
          });
    }
    return { kind: 'command', command: command.map(fill) };
  }
  const vault = members.vault === undefined ? undefined : readVault(reading, members.vault.value, fill);
  return vault === undefined ? undefined : { kind: 'vault', vault };
}

function variableOf(
  reading: Reading,
  { value }: { readonly value: YamlNode },
  kind: VariableKind,
  fill: Fill,
): string | undefined {
  const text = lineOf(reading, { value }, 'the name of a variable');
  if (text === undefined) return undefined;
  const name = fill(text);
  if (isNameOf(kind, name)) return name;
  const message = `this must be the name of an environment variable: ${variableNames[kind].words}`;
  return report(reading, value, 'configuration', message, {
    hint: 'the file must not contain a key or refer to other secrets in the environment',
  });
}

function readVault(reading: Reading, node: YamlNode, fill: Fill): VaultSecret | undefined {
  const members = readKeys(reading, node, '"vault"', vaultKeys);
  if (members === undefined) return undefined;
  const { address, path, login: loginMember } = members;
  if (address === undefined || path === undefined || loginMember === undefined) {
    return report(reading, node, 'missing-key', '"vault" needs "address", "path" and "login"');
  }
  const line = (key: keyof typeof vaultKeys): string | undefined => {
    const member = members[key];
    return member === undefined ? undefined : lineOf(reading, member, `"${key}"`);
  };
  const segments = (key: 'path' | 'mount' | 'namespace', usual?: string): string | undefined => {
    const text = line(key) ?? usual;
    if (text === undefined) return undefined;
    const filled = fill(text).replace(/^\/+|\/+$/g, '');
    if (
      filled !== '' &&
      filled.split('/').every((each) => /^[^?#%\\]+$/.test(each) && !/^\.{1,2}$/.test(each))
    )
      return filled;
    return report(
      reading,
      members[key]?.value ?? node,
      'invalid-value',
      `"${key}" must be a path such as rampart/berlin`,
    );
  };
  const origin = line('address');
  const where = segments('path');
  const mount = segments('mount', 'secret');
  const field = line('field') ?? 'psk';
  const namespace = segments('namespace');
  const login = readLogin(reading, loginMember.value, fill);
  if (origin === undefined || where === undefined || mount === undefined || login === undefined)
    return undefined;
  return {
    address: origin,
    mount,
    path: where,
    field: fill(field),
    login,
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function readLogin(reading: Reading, node: YamlNode, fill: Fill): VaultLogin | undefined {
  const members = readKeys(reading, node, '"login"', loginKeys);
  if (members === undefined) return undefined;
  if (members.jwt === undefined) {
    const token = readToken(reading, node, members, 'token', fill);
    if (token === undefined) return undefined;
    return token.kind === 'variable'
      ? { kind: 'token', variable: token.variable }
      : { kind: 'token-file', file: token.file };
  }
  if (Object.keys(members).length > 1) return oneToken(reading, node);
  const jwt = readKeys(reading, members.jwt.value, '"jwt"', jwtKeys);
  if (jwt === undefined) return undefined;
  const role = jwt.role === undefined ? undefined : lineOf(reading, jwt.role, '"role"');
  const mount = jwt.mount === undefined ? 'jwt' : lineOf(reading, jwt.mount, '"mount"');
  const token = readToken(reading, members.jwt.value, jwt, 'jwt', fill);
  if (jwt.role === undefined) return report(reading, members.jwt.value, 'missing-key', '"jwt" needs "role"');
  if (role === undefined || mount === undefined || token === undefined) return undefined;
  return { kind: 'jwt', mount, role: fill(role), token };
}

type TokenSource = Extract<KeySource, { kind: 'variable' | 'file' }>;

function readToken(
  reading: Reading,
  node: YamlNode,
  { tokenVariable, tokenFile }: Pick<Found<typeof loginKeys>, 'tokenVariable' | 'tokenFile'>,
  kind: 'token' | 'jwt',
  fill: Fill,
): TokenSource | undefined {
  if ((tokenVariable === undefined) === (tokenFile === undefined)) return oneToken(reading, node);
  if (tokenVariable !== undefined) {
    const variable = variableOf(reading, tokenVariable, kind, fill);
    return variable === undefined ? undefined : { kind: 'variable', variable };
  }
  const file = tokenFile === undefined ? undefined : lineOf(reading, tokenFile, '"tokenFile"');
  return file === undefined ? undefined : { kind: 'file', file: fill(file) };
}

function oneToken(reading: Reading, node: YamlNode): undefined {
  return report(reading, node, 'configuration', 'the login must name exactly one token', {
    hint: 'write one of tokenVariable, tokenFile and jwt',
  });
}
