import { keepPrior } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { matching } from '../../protocol/schema/validator.ts';
import { desiredBlocks, unmanagedArgument } from './fleet-blocks.ts';
import { contentOrBlocks } from './fleet-rules.ts';

const shown = { computed: true, nonNull: true, plan: [keepPrior] } as const;

export const fleetSchema = defineSchema({
  version: 1,
  description:
    'A whole desired state as one resource, in the form that `rampart plan` and `rampart apply` read. Use it for thousands of hosts, for rules and policies, and for names that many hosts exchange. A plan shows each change as a computed attribute. An apply makes exactly these changes, or refuses if the fleet has changed and needs another plan. Write the desired state as the content of a file or as nested blocks.',
  attributes: {
    id: {
      ...shown,
      type: 'string',
      description:
        'The CompanyID of the account, or the address of the service if the credentials do not include it.',
    },
    content: {
      type: 'string',
      optional: true,
      description:
        'The desired state in YAML, such as `file("fleet.yaml")`. Recommended for thousands of hosts.',
    },
    file: {
      type: 'string',
      optional: true,
      description: 'The name of the content in messages. Default: `fleet.yaml`.',
      validate: [matching(/\S/, 'not blank')],
    },
    company_id: {
      type: 'string',
      optional: true,
      description: 'With nested blocks: refuse to work on any other account.',
      validate: [matching(/^\d{1,19}$/, 'digits')],
    },
    unmanaged: {
      ...unmanagedArgument,
      description: `With nested blocks. ${unmanagedArgument.description}`,
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve the exact number of changes over a limit of the policy: `{ delete = 28 }`. Any other number is refused. An approval is valid for one apply of one content. It does not approve later changes from the same content. Kinds are `rename`, `move`, `antivirus` and `delete`.',
    },
    skip_blocked: {
      type: 'bool',
      optional: true,
      description: 'Skip changes that are blocked, and make the others.',
    },
    delete_first: {
      type: 'bool',
      optional: true,
      description:
        "Delete hosts first. This saves calls, but the deletions can't be undone if a later change fails.",
    },
    strict: {
      type: 'bool',
      optional: true,
      description: 'Treat a host that has not enrolled yet as an error.',
    },
    counts: {
      ...shown,
      type: { map: 'number' },
      description:
        'The number of hosts by kind of change: in the plan, or after an apply, in the latest apply that changed anything.',
    },
    calls: {
      ...shown,
      type: 'number',
      description: 'The number of calls for these changes.',
    },
    changes: {
      ...shown,
      nested: 'list',
      description: 'Each change, in the order of the plan. The list stays until the next change.',
      attributes: {
        host_id: { type: 'string', computed: true, nonNull: true, description: 'The host.' },
        name: { type: 'string', computed: true, description: 'The name of the host before.' },
        kind: {
          type: 'string',
          computed: true,
          nonNull: true,
          description: '`rename`, `move`, `antivirus` or `delete`.',
        },
        from: { type: 'string', computed: true, description: 'The name or the group before.' },
        to: { type: 'string', computed: true, description: 'The name or the group after.' },
        reason: {
          type: 'string',
          computed: true,
          nonNull: true,
          description: 'The line of the content, or the block, that requests the change.',
        },
      },
    },
    checksum: {
      ...shown,
      type: 'string',
      description:
        'The checksum of the approved plan. The same steps on the same hosts have the same checksum.',
    },
    applied_at: {
      ...shown,
      type: 'string',
      description: 'When the resource was created, or when an apply last made changes (RFC 3339).',
    },
  },
  blocks: desiredBlocks,
  rules: [contentOrBlocks],
});
