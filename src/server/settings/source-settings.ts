import { resolve } from 'node:path';
import {
  type ConfigSection,
  line,
  list,
  type Setting,
  section,
  text,
  type Values,
} from '../../accounts/config/setting.ts';
import { duration, word, yesOrNo } from '../../accounts/config/setting-values.ts';
import { defined } from '../../core/lib/defined.ts';
import { isLoopback } from '../../core/lib/loopback.ts';
import { pullForgeKinds } from '../../forge/forge.ts';
import { forgeAt } from '../../forge/forge-address.ts';
import {
  type ForgeSettings,
  type GitSource,
  type RegisterSource,
  type SourceSettings,
  type SshFiles,
  sourceCommands,
} from './server-settings.ts';
import { address, secretKeys, secretSetting } from './setting-values.ts';

/** `rampart server` shows these names in addresses and messages. */
const sourceName = line({
  words: 'a name of at most 63 letters, digits, ".", "_" and "-"',
  parse: (given) => (/^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/.test(given) ? given : undefined),
});

/** `git@host:team/fleet.git` is the short form of `ssh://git@host/team/fleet.git`. */
const shortForm = /^([A-Za-z0-9_][\w.-]*)@([A-Za-z0-9][A-Za-z0-9.-]*):(?!\d+\/)\/?([^/].*)$/;

const gitAddress = line({
  words: 'the address of a Git repository: https://…, ssh://… or git@host:path',
  hint: 'give a token with tokenFile or tokenVariable, not in the address',
  parse(short) {
    const given = short.replace(shortForm, 'ssh://$1@$2/$3');
    const url = URL.parse(given);
    const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname);
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
  git: { is: gitAddress, meaning: 'The address of a Git repository: https://…, ssh://… or git@host:path.' },
  ref: { is: ref, meaning: 'The branch, tag or ref to read.', byDefault: 'main' },
  path: { is: pathInside, meaning: 'The folder in the repository. Default: its root.' },
  ...secretKeys('token', 'the token that reads the repository'),
  sshKeyFile: { is: text, meaning: 'For ssh: the file of the private key, which has no passphrase.' },
  sshKnownHostsFile: { is: text, meaning: 'For ssh: the file with the host keys of the Git server.' },
  ...secretKeys('webhookSecret', 'the secret of the push webhook'),
  forge: {
    is: word(pullForgeKinds),
    meaning:
      'The forge that receives pull requests, and at github and gitlab also reports: github, gitlab, azure or bitbucket. Default: the forge of the host in the address.',
  },
  forgeApi: { is: address, meaning: 'The address of the REST API of the forge, if it is not the usual one.' },
  ...secretKeys('forgeToken', 'the token that opens pull requests, and writes commit statuses and comments'),
  commands: {
    is: word(sourceCommands),
    meaning:
      'The commands in comments that the server answers: all, only approvals (and rejections), or none.',
    byDefault: 'all',
  },
  scripts: {
    is: yesOrNo,
    meaning: 'Run .ts and .js files of this source, in a sandbox.',
    byDefault: 'false',
  },
} as const;

/** One source. Folders are relative to the folder of rampart.config.yaml. */
export function sourceSettings(folder: string): Setting<SourceSettings> {
  return section(keys, (values, at): SourceSettings | undefined => {
    const { name, git, scripts } = values;
    const common = { name, allowsScripts: scripts, place: at.place };
    if ((git === undefined) === (values.folder === undefined))
      return at.refuse(null, `the source "${name}" must have exactly one of "folder" and "git"`);
    if (git === undefined) {
      const extra = Object.keys(at.members).find((key) => !['name', 'folder', 'scripts'].includes(key));
      return extra === undefined
        ? { ...common, kind: 'folder', folder: resolve(folder, values.folder ?? '.') }
        : at.refuse(extra, `"${extra}" is only for Git repositories`);
    }
    return gitSource(common, git, values, { at, folder });
  });
}

function gitSource(
  common: Pick<GitSource, 'name' | 'allowsScripts' | 'place'>,
  git: string,
  values: Values<typeof keys>,
  { at, folder }: { readonly at: ConfigSection; readonly folder: string },
): GitSource | undefined {
  const token = secretSetting('token', values, at);
  const webhookSecret = secretSetting('webhookSecret', values, at);
  const ssh = sshFilesOf(git, values, { at, folder });
  const forge = forgeOf(git, values, at);
  if (ssh === 'refused' || forge === 'refused') return undefined;
  return {
    ...common,
    kind: 'git',
    git,
    ref: values.ref,
    path: values.path ?? '',
    commands: values.commands,
    ...defined({ token, ssh, webhookSecret, forge }),
  };
}

/** The forge of the repository, if there is a token that may write to it. */
function forgeOf(
  git: string,
  values: Values<typeof keys>,
  at: ConfigSection,
): ForgeSettings | undefined | 'refused' {
  const { forge: kind, forgeApi: api } = values;
  const token = secretSetting('forgeToken', values, at);
  const refuse = (key: string, message: string, hint?: string) => {
    at.refuse(key, message, hint);
    return 'refused' as const;
  };
  if (token === undefined) {
    if (kind === undefined && api === undefined) return undefined;
    const key = kind === undefined ? 'forgeApi' : 'forge';
    return refuse(key, 'reporting to a forge needs "forgeTokenFile" or "forgeTokenVariable"');
  }
  const found = forgeAt(new URL(git), {
    ...defined({ kind, api }),
  });
  if (found.ok) return { ...found.value, token };
  for (const { message, hint } of found.problems) refuse('git', message, hint);
  return 'refused';
}

/** SSH offers no key and accepts no host key but those of the two files. */
function sshFilesOf(
  git: string,
  { sshKeyFile: key, sshKnownHostsFile: knownHosts }: Values<typeof keys>,
  { at, folder }: { readonly at: ConfigSection; readonly folder: string },
): SshFiles | undefined | 'refused' {
  const isSsh = git.startsWith('ssh:');
  if (!isSsh && key === undefined && knownHosts === undefined) return undefined;
  if (!isSsh) {
    at.refuse('git', '"sshKeyFile" and "sshKnownHostsFile" are only for addresses that start with ssh://');
    return 'refused';
  }
  if (key === undefined || knownHosts === undefined) {
    at.refuse(
      'git',
      'a repository at ssh://… needs "sshKeyFile" and "sshKnownHostsFile"',
      'write the host keys to the file with ssh-keyscan, and compare them with those that the Git server publishes',
    );
    return 'refused';
  }
  return { key: resolve(folder, key), knownHosts: resolve(folder, knownHosts) };
}

const registerName = line({
  words: 'small letters, digits and hyphens, such as snipe',
  parse: (given) => (/^[a-z][a-z0-9-]{0,40}$/.test(given) ? given : undefined),
});

/** A register that desired states may read. Its address and credentials are in the environment, as for the command line. */
export const registerSourceSettings: Setting<RegisterSource> = section(
  {
    name: {
      is: registerName,
      meaning: 'The name that tables give as "source". RAMPART_SOURCE_ and this name begin its variables.',
      required: true,
    },
    sources: {
      is: list(text),
      meaning:
        'The sources whose desired states may read the register. Required if the server has several sources.',
    },
    every: {
      is: duration(60_000, 7 * 86_400_000, 'from 1m to 7d'),
      meaning: 'How long one read of the register serves all accounts. Default: the cadence.',
    },
  } as const,
  ({ name, sources, every }, { place }) => ({ name, place, ...defined({ sources, everyMs: every }) }),
);
