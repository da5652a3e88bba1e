import { atMostOneOf } from '../../protocol/schema/config-rule.ts';
import { defineSchema, matching, oneOf } from '../../protocol/schema/schema.ts';
import type { ConfigOf } from '../../protocol/schema/values-of.ts';
import { isDuration } from './duration.ts';

/** The arguments of a `provider "rampart"` block. */
export const configurationSchema = defineSchema({
  description:
    'Manages the remotely accessed computers ("hosts") of an account: their names, their groups, the vendor\'s anti-virus, and their deletion. Arguments that are not set come from the environment variables that the command `rampart` reads.',
  attributes: {
    base_url: {
      type: 'string',
      optional: true,
      description:
        "The https address of the service. Default: `RAMPART_BASE_URL`. A key from the environment or from a file is sent only to the origin of `RAMPART_BASE_URL` and to those that `RAMPART_ALLOWED_ORIGINS` lists, so a pull request can't send it elsewhere.",
    },
    company_id: {
      type: 'string',
      optional: true,
      description: "The account's company ID, in digits. Default: `RAMPART_COMPANY_ID`.",
      validate: [matching(/^\d{1,19}$/, '1 to 19 digits')],
    },
    psk: {
      type: 'string',
      optional: true,
      sensitive: true,
      description:
        "The account's pre-shared key. Use an ephemeral variable, so that plan files do not contain the key. Default if `psk_file` is not set either: `RAMPART_PSK`.",
    },
    psk_file: {
      type: 'string',
      optional: true,
      description:
        'A regular file of at most 4 KiB with the pre-shared key on one line. Default: `RAMPART_PSK_FILE`.',
    },
    auth: {
      type: 'string',
      optional: true,
      description: 'How to send the credentials: `basic` or `json`. Default: `RAMPART_AUTH`, or `basic`.',
      validate: [oneOf('basic', 'json')],
    },
    read_only: {
      type: 'bool',
      optional: true,
      description: 'Refuse every call that changes something. Default: `RAMPART_READ_ONLY`.',
    },
    max_age: {
      type: 'string',
      optional: true,
      description:
        'The maximum age of the host list that all resources and data sources of one command share, such as `90s`. Default: `5m`.',
      validate: [isDuration],
    },
    state_dir: {
      type: 'string',
      optional: true,
      description:
        'A folder for inventory, and for the journals of `rampart_fleet` runs and of the installs of `rampart_host`. With a journal, the next run can continue an interrupted one, and a killed process does not lead to a second install. The command `rampart` uses the same folder with `--state-dir`. If neither this nor a `state` block is set, nothing is stored.',
    },
    limits: {
      type: { map: 'string' },
      optional: true,
      description:
        'How many hosts a run may delete, or remove from a group, without an approval, as a number or a share of the fleet: `{ delete = "10", evict = "5%" }`. `delete` limits all `rampart_host` of one run together, and `evict` limits each `rampart_group_members`. Default: `10%`, but at least one host. `rampart_fleet` uses the limits of its policy.',
    },
    acks: {
      type: { map: 'number' },
      optional: true,
      description:
        'Approve the exact number of deletions of one run: `{ delete = 28 }`. Any other number is refused. Remove the approval after that run.',
    },
    max_wait: {
      type: 'string',
      optional: true,
      description:
        'How long a rename waits for another host to release the name, such as `2m`, while no other operation makes progress. Default: `30s`.',
      validate: [isDuration],
    },
  },
  blocks: {
    state: {
      nesting: 'single',
      description:
        'Store the journals and the locks of runs in a PostgreSQL database that all machines share, instead of in `state_dir`. The database also stores the inventory, unless `state_dir` is set. With both, `RAMPART_INVENTORY_CACHE=state` selects the database. `rampart state migrate` creates its tables. Default: `RAMPART_STATE_URL`, or the file that `RAMPART_STATE_URL_FILE` names. With an `emulator` block, the database is not used.',
      attributes: {
        url: {
          type: 'string',
          optional: true,
          sensitive: true,
          description:
            'The address, such as `postgresql://user:password@host:5432/database`. Use an ephemeral variable, so that plan files do not contain the password.',
        },
        url_file: {
          type: 'string',
          optional: true,
          description: 'A regular file of at most 4 KiB with the address on one line.',
        },
      },
    },
    emulator: {
      nesting: 'single',
      description:
        'Emulate the service inside the provider, without an account and without a network: for experiments and for `terraform test`.',
      attributes: {
        seed_file: {
          type: 'string',
          optional: true,
          description: 'The initial fleet, in YAML. Default: 40 generated hosts.',
        },
        state_file: {
          type: 'string',
          required: true,
          description: 'The file that stores the emulated fleet between commands.',
        },
      },
    },
  },
  rules: [atMostOneOf('psk', 'psk_file')],
});

export type ProviderConfig = ConfigOf<typeof configurationSchema>;
