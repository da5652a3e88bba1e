import { resolve } from 'node:path';
import type { SourceSettings } from './server-settings.ts';
import { line, type Section, type Setting, section, text } from './setting.ts';
import { secretKeys, secretOf, yesOrNo } from './setting-values.ts';

/** `rampart server` shows these names in addresses and messages. */
const sourceName = line({
  words: 'a name of at most 63 letters, digits, ".", "_" and "-"',
  parse: (given) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(given) ? given : undefined),
});

const gitAddress = line({
  words: 'the address of a Git repository: https://… or ssh://…',
  hint: 'give a token with tokenFile or tokenVariable, not in the address',
  parse(given) {
    const url = URL.parse(given);
    const isLocal = url?.protocol === 'http:' && url.hostname.startsWith('127.');
    const isKnown = url?.protocol === 'https:' || url?.protocol === 'ssh:' || isLocal;
    const hasSecret = url?.password !== '' || (url.protocol === 'https:' && url.username !== '');
    return isKnown && !hasSecret && url.hostname !== '' ? given : undefined;
  },
});

const ref = line({
  words: 'a branch, a tag or a ref such as refs/heads/main',
  parse: (given) =>
    /^[A-Za-z0-9][A-Za-z0-9._/-]{0,200}$/.test(given) && !/\.\.|\/\/|\/$|\.lock$/.test(given)
      ? given
      : undefined,
});

const pathInside = line({
  words: 'a path in the repository, without ".."',
  parse(given) {
    const segments = given.replace(/\/+$/, '').split('/');
    const isInside = segments.every((each) => each !== '' && each !== '..' && !each.includes('\\'));
    return isInside ? segments.filter((each) => each !== '.').join('/') : undefined;
  },
});

const keys = {
  name: { is: sourceName, meaning: 'The name of the source.', required: true },
  folder: {
    is: text,
    meaning: 'A folder with desired-state files, relative to the folder of rampart.config.yaml.',
  },
  git: { is: gitAddress, meaning: 'The address of a Git repository: https://… or ssh://….' },
  ref: { is: ref, meaning: 'The branch, tag or ref to read. Default: main.' },
  path: { is: pathInside, meaning: 'The folder in the repository. Default: its root.' },
  ...secretKeys('token', 'the token that reads the repository'),
  ...secretKeys('webhookSecret', 'the secret of the push webhook'),
  scripts: {
    is: yesOrNo,
    meaning: 'Run .ts and .js files of this source, in a sandbox. Default: false.',
  },
} as const;

/** One source. Folders are relative to the folder of rampart.config.yaml. */
export function sourceSettings(folder: string): Setting<SourceSettings> {
  return section(keys, (values, at): SourceSettings | undefined => {
    const { name = '', git, scripts = false } = values;
    const common = { name, allowsScripts: scripts, place: at.place };
    const given = Object.keys(values);
    if ((git === undefined) === (values.folder === undefined))
      return at.refuse(null, `the source "${name}" must have exactly one of "folder" and "git"`);
    if (git === undefined) {
      const extra = given.find((key) => !['name', 'folder', 'scripts'].includes(key));
      return extra === undefined
        ? { ...common, kind: 'folder', folder: resolve(folder, values.folder ?? '.') }
        : at.refuse(extra, `"${extra}" is only for Git repositories`);
    }
    return { ...common, kind: 'git', git, ...gitParts(values, at) };
  });
}

function gitParts(
  values: Parameters<typeof secretOf<'token' | 'webhookSecret'>>[1] & {
    readonly ref?: string;
    readonly path?: string;
  },
  at: Section,
) {
  const token = secretOf('token', values, at);
  const webhookSecret = secretOf('webhookSecret', values, at);
  return {
    ref: values.ref ?? 'main',
    path: values.path ?? '',
    ...(token === undefined ? {} : { token }),
    ...(webhookSecret === undefined ? {} : { webhookSecret }),
  };
}
