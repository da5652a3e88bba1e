import { keepPrior } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { matching } from '../../protocol/schema/validator.ts';
import { desiredBlocks, unmanagedArgument } from './fleet-blocks.ts';
import { contentOrBlocks } from './fleet-rules.ts';

const shown = { computed: true, nonNull: true, plan: [keepPrior] } as const;

export const fleetSchema = defineSchema({
  version: 1,
  description:
    'A whole desired state, as `rampart plan` and `rampart apply` take it, as one resource: for thousands of hosts, for rules and policies, and for names that many hosts pass on to one another. A plan shows each change as a computed attribute; an apply carries out just what was planned, or refuses where the fleet has changed so that it would be something else. The desired state is the content of a file, or stands in nested blocks.',
  attributes: {
    id: {
      ...shown,
      type: 'string',
      description: 'The account’s CompanyID, or the service’s address where the credentials do not say it.',
    },
    content: {
      type: 'string',
      optional: true,
      description: 'The desired state in YAML, such as `file("fleet.yaml")`; best for thousands of hosts.',
    },
    file: {
      type: 'string',
      optional: true,
      description: 'What messages call the content; `fleet.yaml` where it is not set.',
      validate: [matching(/\S/, 'not blank')],
    },
    company_id: {
      type: 'string',
      optional: true,
      description: 'With nested blocks: refuse the account of any other company.',
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
        'Consent to changes above a limit of the policy, by their exact number: `{ delete = 28 }`. A number that is not the plan’s is refused. Consent is for one apply of one content: it does not stand for what the same content asks for later. Kinds are `rename`, `move`, `antivirus` and `delete`.',
    },
    skip_blocked: {
      type: 'bool',
      optional: true,
      description: 'Go on with everything that nothing stands in the way of.',
    },
    delete_first: {
      type: 'bool',
      optional: true,
      description: 'Delete before anything else, which saves calls and leaves no way back.',
    },
    strict: {
      type: 'bool',
      optional: true,
      description: 'Take a host that is not enrolled yet for an error.',
    },
    counts: {
      ...shown,
      type: { map: 'number' },
      description:
        'How many hosts are renamed, moved, given the anti-virus and deleted: by the plan, and after an apply by the latest apply that changed anything.',
    },
    calls: {
      ...shown,
      type: 'number',
      description: 'How many calls that takes.',
    },
    changes: {
      ...shown,
      nested: 'list',
      description: 'Each change, in the order of the plan; kept until there is another.',
      attributes: {
        host_id: { type: 'string', computed: true, nonNull: true, description: 'The host.' },
        name: { type: 'string', computed: true, description: 'What it was called before.' },
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
          description: 'The line of the content, or the block, that asks for it.',
        },
      },
    },
    checksum: {
      ...shown,
      type: 'string',
      description: 'What was approved: the same steps on the same hosts have the same checksum.',
    },
    applied_at: {
      ...shown,
      type: 'string',
      description: 'When changes were last made, or the resource was created (RFC 3339).',
    },
  },
  blocks: desiredBlocks,
  rules: [contentOrBlocks],
});
