import { ticketNumber } from '../../../core/model/ticket-rule.ts';
import { keepPrior } from '../../protocol/schema/plan-modifier.ts';
import { defineSchema, matching } from '../../protocol/schema/schema.ts';
import { desiredBlocks, unmanagedArgument } from './fleet-blocks.ts';
import { contentOrBlocks } from './fleet-rules.ts';

const shown = { computed: true, nonNull: true, plan: [keepPrior] } as const;

export const fleetSchema = defineSchema({
  description:
    'A whole desired state as one resource, in the form that `rampart plan` and `rampart apply` read. Use it for thousands of hosts, for rules and policies, and for names that many hosts swap. A plan shows the changes of each host in one line. An apply makes exactly these changes, or refuses if the fleet has changed and needs another plan.',
  attributes: {
    id: {
      ...shown,
      type: 'string',
      description:
        'The company ID of the account, or the address of the service if the credentials do not include it.',
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
    tables: {
      type: { map: 'string' },
      optional: true,
      sensitive: true,
      description:
        'The files that `hostsFrom` and `tables` of the content name, by their paths there: `{ "assets.csv" = file("assets.csv") }`. Registers over the network need no file: their address and credentials are in the `RAMPART_SOURCE_` variables.',
    },
    company_id: {
      type: 'string',
      optional: true,
      description: 'With nested blocks: refuse to work on any other account.',
      validate: [matching(/^\d{1,19}$/, '1 to 19 digits')],
    },
    unmanaged: {
      ...unmanagedArgument,
      description: `With nested blocks. ${unmanagedArgument.description}`,
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve the exact number of changes over a limit of the policy: `{ delete = 28 }`. An approval is valid for one apply of one content. Kinds are `rename`, `move`, `antivirus` and `delete`.',
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
    ticket: {
      type: 'string',
      optional: true,
      description:
        'The number of the change ticket, for the record of the run and the audit log. The provider does not read rampart.config.yaml, so it does not check the ticket.',
      validate: [matching(ticketNumber, 'at most 64 letters, digits, points, hyphens and underscores')],
    },
    summary: {
      ...shown,
      type: 'string',
      description:
        'The numbers of changes and calls, such as `2 renames, 1 deletion (3 calls)`: in the plan, or after an apply, in the latest apply that changed anything.',
    },
    counts: {
      ...shown,
      type: { map: 'number' },
      description: 'The number of hosts by kind of change, for the same plan or apply as `summary`.',
    },
    calls: {
      ...shown,
      type: 'number',
      description: 'The number of calls for these changes.',
    },
    changes: {
      ...shown,
      type: { map: 'string' },
      description:
        "The changes of each host in one line, by the host's id. After an apply, the list stays until the next command.",
    },
    drift: {
      ...shown,
      type: { map: 'string' },
      description:
        'What differs from the desired state of the latest apply, in one line for each host, when Terraform last read the resource. `terraform plan -refresh-only` shows it.',
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
