import { configKeys } from '../../accounts/config/config-keys.ts';
import {
  type JsonSchema,
  list,
  type Setting,
  schemaOfKeys,
  section,
  text,
} from '../../accounts/config/setting.ts';
import { duration, windows, word } from '../../accounts/config/setting-values.ts';
import type { Freeze } from '../../core/model/policy.ts';
import { readFreezes } from '../../input/policy/read-policy.ts';
import { freezeFields } from '../../input/schema/policy-fields.ts';
import type { Member } from '../../input/sources/source-text.ts';
import { approvalRule, loginSettings, pipelineSettings, reviewerSettings } from './access-settings.ts';
import { notificationSettings } from './notification-settings.ts';
import { address, allowedAddress, listenAddress } from './setting-values.ts';
import { registerSourceSettings, sourceSettings } from './source-settings.ts';

const freezes: Setting<readonly Freeze[]> = {
  schema: {
    type: 'array',
    items: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(freezeFields).map(([key, { meaning }]) => [
          key,
          { type: 'string', description: meaning },
        ]),
      ),
      additionalProperties: false,
    },
  },
  read: (reading, member) => readFreezes(reading, member as Member),
};

/** The keys of `server:`. */
export function serverKeys(folder: string, labels: ReadonlySet<string>) {
  const metrics = section(
    {
      label: {
        is: text,
        meaning: 'The label of accounts that splits checks, hosts, responses and times in /metrics.',
      },
    },
    (values, { place }) => ({ ...values, place }),
  );
  return {
    url: {
      is: address,
      meaning: 'The address at which people reach the server. Default: the address it listens on.',
      variable: 'RAMPART_SERVER_URL',
    },
    listen: {
      is: listenAddress,
      meaning: 'The address and port to listen on. Other machines need "login".',
      byDefault: '127.0.0.1:8080',
      variable: 'RAMPART_SERVER_LISTEN',
    },
    data: {
      is: text,
      meaning: 'The folder of the embedded database and of fetched sources.',
      byDefault: '.rampart/server',
      variable: 'RAMPART_SERVER_DATA',
    },
    cadence: {
      is: duration(60_000, 7 * 86_400_000, 'from 1m to 7d'),
      meaning: 'The time between two checks of an account.',
      byDefault: '10m',
    },
    sources: {
      is: list(sourceSettings(folder)),
      meaning: 'Where desired-state files come from. Default: the folder of rampart.config.yaml.',
    },
    registers: {
      is: list(registerSourceSettings),
      meaning: 'The asset registers that tables of desired states may read. Default: none.',
    },
    login: {
      is: loginSettings(labels),
      meaning: 'How people sign in: an OIDC provider and the roles of its groups.',
    },
    pipelines: {
      is: list(pipelineSettings(labels)),
      meaning: 'Pipelines that may exchange their OIDC token for one of the server.',
    },
    approvals: {
      is: list(approvalRule(labels)),
      meaning: 'Who approves plans. If several rules select an account, all of them apply.',
    },
    reviewers: {
      is: list(reviewerSettings(labels)),
      meaning: 'People who approve plans by comments on pull requests.',
    },
    windows: {
      is: windows,
      meaning: 'When the server may change accounts, in addition to their own windows.',
    },
    freezes: { is: freezes, meaning: 'Times in which the server changes no account.' },
    overrun: {
      is: word(['pause', 'end']),
      meaning: 'What a run does at the next safe point when a window closes: pause until it opens, or end.',
      byDefault: 'pause',
    },
    notifications: { is: list(notificationSettings(labels)), meaning: 'Which messages to send, and where.' },
    retention: {
      is: duration(86_400_000, 3650 * 86_400_000, 'from 1d to 3650d'),
      meaning: 'How long runs, decided plans and history are kept.',
      byDefault: '90d',
    },
    allow: {
      is: list(allowedAddress),
      meaning:
        'Private addresses that sources, notifications and Vault may reach: host names, IP addresses or networks. Loopback and link-local addresses are refused without it.',
    },
    metrics: { is: metrics, meaning: 'What /metrics shows.' },
  } as const;
}

/** The JSON Schema of rampart.config.yaml (draft 2020-12), for completion and checks in an editor. */
export function configJsonSchema(): JsonSchema {
  const server = { ...configKeys.server, is: section(serverKeys('', new Set()), () => null) };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Rampart: the accounts of a configuration',
    ...schemaOfKeys({ ...configKeys, server }),
  };
}
