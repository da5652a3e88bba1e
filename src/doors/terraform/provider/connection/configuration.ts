import { atMostOneOf } from '../../protocol/schema/config-rule.ts';
import { defineSchema } from '../../protocol/schema/schema.ts';
import { matching, oneOf } from '../../protocol/schema/validator.ts';
import type { ConfigOf } from '../../protocol/schema/values-of.ts';
import { isDuration } from './duration.ts';

/** What a `provider "rampart"` block takes. */
export const configurationSchema = defineSchema({
  description:
    'Manages the remotely accessed computers ("hosts") of an account: their names, their groups, the vendor’s anti-virus, and which of them must be gone. Whatever the block does not say is read from the environment, as the command `rampart` reads it.',
  attributes: {
    base_url: {
      type: 'string',
      optional: true,
      description:
        "The service's address, https. From `RAMPART_BASE_URL` where it is not set. A key from the environment or from a file is sent only to the origin of `RAMPART_BASE_URL` and to those that `RAMPART_ALLOWED_ORIGINS` lists, so a pull request can't send it elsewhere.",
    },
    company_id: {
      type: 'string',
      optional: true,
      description: 'The account’s CompanyID, in digits. From `RAMPART_COMPANY_ID` where it is not set.',
      validate: [matching(/^\d{1,19}$/, 'digits')],
    },
    psk: {
      type: 'string',
      optional: true,
      sensitive: true,
      description:
        'The account’s pre-shared key; best an ephemeral variable, as plan files then do not hold it. From `RAMPART_PSK` where neither it nor `psk_file` is set.',
    },
    psk_file: {
      type: 'string',
      optional: true,
      description:
        'A regular file with the pre-shared key on one line, at most 4 KiB. From `RAMPART_PSK_FILE`.',
    },
    auth: {
      type: 'string',
      optional: true,
      description: 'How the credentials are sent: `basic` (the default) or `json`. From `RAMPART_AUTH`.',
      validate: [oneOf('basic', 'json')],
    },
    read_only: {
      type: 'bool',
      optional: true,
      description: 'Refuse every call that changes something. From `RAMPART_READ_ONLY`.',
    },
    max_age: {
      type: 'string',
      optional: true,
      description:
        'How old the list of hosts may be that all resources and data sources of one command share, such as `90s`; `5m` where it is not set.',
      validate: [isDuration],
    },
    state_dir: {
      type: 'string',
      optional: true,
      description:
        'A folder in which runs of `rampart_fleet` are recorded, so that an interrupted one is understood, and inventory is kept; the command `rampart` takes it by `--state-dir`. Nothing is kept where it is not set.',
    },
    limits: {
      type: { map: 'string' },
      optional: true,
      description:
        'How many hosts may be deleted or taken out of a group without an approval, as a number or a share of the fleet: `{ delete = "10", evict = "5%" }`. `delete` holds all `rampart_host` of one run together, `evict` each `rampart_group_members`; `10%`, and at least one host, where it is not set. `rampart_fleet` has the limits of its policy.',
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve the deletions of one run by their exact number, `{ delete = 28 }`; any other number is refused. Remove it after that run.',
    },
    max_wait: {
      type: 'string',
      optional: true,
      description:
        'How long the change of a host waits for another to leave the name that it wants, such as `2m`, when nothing else is moving; `30s` where it is not set.',
      validate: [isDuration],
    },
  },
  blocks: {
    emulator: {
      nesting: 'single',
      description:
        'Work on a service that is emulated in the provider itself, with no account and no network: to try things out, and for `terraform test`.',
      attributes: {
        seed_file: {
          type: 'string',
          optional: true,
          description: 'The fleet to begin with, in YAML; a made-up one of 40 hosts where it is not set.',
        },
        state_file: {
          type: 'string',
          required: true,
          description: 'Where the emulated fleet is kept from one command to the next.',
        },
      },
    },
  },
  rules: [atMostOneOf('psk', 'psk_file')],
});

export type ProviderConfig = ConfigOf<typeof configurationSchema>;
