import { type IResolvable, TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata, providerSource, providerVersion } from './provider-release.ts';
import type { Shape } from './shape.ts';

export interface RampartProviderEmulator {
  /** The fleet to begin with, a file in YAML; a made-up one of 40 hosts when absent. */
  readonly seedFile?: string;
  /** The file that keeps the emulated fleet from one command to the next. */
  readonly stateFile: string;
}

export interface RampartProviderConfig {
  /** The service's address, https; from `RAMPART_BASE_URL` when absent. */
  readonly baseUrl?: string;
  /** The account's CompanyID, in digits; from `RAMPART_COMPANY_ID` when absent. */
  readonly companyId?: string;
  /**
   * The account's pre-shared key, as the value of a `TerraformVariable` that is sensitive and ephemeral: what is
   * written here itself stands in the stack. From `RAMPART_PSK` when neither it nor `pskFile` is given.
   */
  readonly psk?: string;
  /** A file with the pre-shared key; from `RAMPART_PSK_FILE` when absent. */
  readonly pskFile?: string;
  /** How credentials are sent: `basic` (the default) or `json`; from `RAMPART_AUTH` when absent. */
  readonly auth?: string;
  /** Refuse every call that changes something; from `RAMPART_READ_ONLY` when absent. */
  readonly readOnly?: boolean | IResolvable;
  /** How old the list of hosts may be that one command shares, such as `90s`; `5m` when absent. */
  readonly maxAge?: string;
  /** A folder that keeps the records of runs, and inventory; nothing is kept when absent. */
  readonly stateDir?: string;
  /** How long a change waits for another host to release the name that it needs, such as `2m`; `30s` when absent. */
  readonly maxWait?: string;
  /**
   * How many hosts one run may delete, and one group may lose, without an approval: `{ delete: '10', evict: '5%' }`. A
   * tenth of the fleet each when absent.
   */
  readonly limits?: { [kind: string]: string };
  /** Approve the deletions of one run by their exact number: `{ delete: 28 }`. Remove it after that run. */
  readonly acks?: { [kind: string]: number };
  /** Work on a service that is emulated in the provider itself, with no account and no network. */
  readonly emulator?: RampartProviderEmulator;
  /** Which of several providers of the stack this one is. */
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
 * The provider `rampart` of a stack. What it is not given it reads from the environment of the machine that runs
 * Terraform, so that no credential has to stand in a stack.
 *
 * @example
 * new RampartProvider(stack, 'rampart', { baseUrl: 'https://remote.example.com', companyId: '1234567890' });
 */
export class RampartProvider extends TerraformProvider {
  static readonly tfResourceType = 'rampart';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** What it was given. */
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
