import { type IResolvable, TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata, providerSource, providerVersion } from './provider-release.ts';
import type { Shape } from './shape.ts';

export interface RampartProviderState {
  /** The address of a PostgreSQL database; use an ephemeral variable, so that no file contains the password. */
  readonly url?: string;
  /** A file with the address on one line. */
  readonly urlFile?: string;
}

export interface RampartProviderEmulator {
  /** The initial fleet, a file in YAML; 40 generated hosts when absent. */
  readonly seedFile?: string;
  /** The file that stores the emulated fleet between commands. */
  readonly stateFile: string;
}

export interface RampartProviderConfig {
  /** The https address of the service; from `RAMPART_BASE_URL` when absent. */
  readonly baseUrl?: string;
  /** The account's CompanyID, in digits; from `RAMPART_COMPANY_ID` when absent. */
  readonly companyId?: string;
  /**
   * The account's pre-shared key, as a sensitive and ephemeral `TerraformVariable`: a literal value would be written to
   * the stack. From `RAMPART_PSK` if neither it nor `pskFile` is given.
   */
  readonly psk?: string;
  /** A file with the pre-shared key; from `RAMPART_PSK_FILE` when absent. */
  readonly pskFile?: string;
  /** How to send the credentials: `basic` (the default) or `json`; from `RAMPART_AUTH` when absent. */
  readonly auth?: string;
  /** Refuse every call that changes something; from `RAMPART_READ_ONLY` when absent. */
  readonly readOnly?: boolean | IResolvable;
  /** The maximum age of the host list that one command shares, such as `90s`; `5m` when absent. */
  readonly maxAge?: string;
  /** A folder for the records of runs and for inventory; nothing is stored when absent. */
  readonly stateDir?: string;
  /** How long a change waits for another host to release the name that it needs, such as `2m`; `30s` when absent. */
  readonly maxWait?: string;
  /**
   * How many hosts one run may delete, or remove from a group, without an approval: `{ delete: '10', evict: '5%' }`.
   * When absent, a tenth of the fleet each.
   */
  readonly limits?: { [kind: string]: string };
  /** Approve the exact number of deletions of one run: `{ delete: 28 }`. Remove the approval after that run. */
  readonly acks?: { [kind: string]: number };
  /** Store the records and the locks of runs in a database that all machines share, instead of in `stateDir`. */
  readonly state?: RampartProviderState;
  /** Emulate the service inside the provider, without an account and without a network. */
  readonly emulator?: RampartProviderEmulator;
  /** The alias, if the stack has several providers. */
  readonly alias?: string;
}

const shape = {
  attributes: {
    base_url: { type: 'string', optional: true },
    company_id: { type: 'string', optional: true },
    psk: { type: 'string', optional: true, sensitive: true },
    psk_file: { type: 'string', optional: true },
    auth: { type: 'string', optional: true },
    read_only: { type: 'bool', optional: true },
    max_age: { type: 'string', optional: true },
    state_dir: { type: 'string', optional: true },
    limits: { type: { map: 'string' }, optional: true },
    acks: { type: { map: 'number' }, optional: true },
    max_wait: { type: 'string', optional: true },
  },
  blocks: {
    state: {
      nesting: 'single',
      attributes: {
        url: { type: 'string', optional: true, sensitive: true },
        url_file: { type: 'string', optional: true },
      },
    },
    emulator: {
      nesting: 'single',
      attributes: {
        seed_file: { type: 'string', optional: true },
        state_file: { type: 'string', required: true },
      },
    },
  },
} as const satisfies Shape;

/**
 * The provider `rampart` of a stack. Properties that are not set come from the environment of the machine that runs
 * Terraform, so a stack needs no credentials.
 *
 * @example
 * new RampartProvider(stack, 'rampart', { baseUrl: 'https://remote.example.com', companyId: '1234567890' });
 */
export class RampartProvider extends TerraformProvider {
  static readonly tfResourceType = 'rampart';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** The given properties. */
  readonly input: RampartProviderConfig;

  constructor(scope: Construct, id: string, config: RampartProviderConfig = {}) {
    super(scope, id, {
      terraformResourceType: RampartProvider.tfResourceType,
      terraformGeneratorMetadata: generatorMetadata,
      terraformProviderSource: providerSource,
    });
    this.input = config;
  }

  override get alias(): string | undefined {
    return this.input.alias;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(shape, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(shape, this.input);
  }
}
