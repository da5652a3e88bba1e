import {
  dependable,
  type IResolvable,
  type ITerraformDependable,
  ref,
  TerraformElement,
  type TerraformProvider,
  Token,
} from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { providerVersion } from './provider-release.ts';
import type { Shape } from './shape.ts';

export interface EphemeralConnectionTicketConfig {
  /** The id of the host to connect to. The host must be online. */
  readonly hostId: string;
  /**
   * Whether the link connects without a browser extension (the default). With false, the link opens a page that offers
   * both ways.
   */
  readonly directLink?: boolean | IResolvable;
  /** Fail if someone is already connected to the host; true when absent. */
  readonly failWhenInSession?: boolean | IResolvable;
  readonly provider?: TerraformProvider;
  readonly dependsOn?: readonly ITerraformDependable[];
}

const shape = {
  attributes: {
    host_id: { type: 'string', required: true },
    direct_link: { type: 'bool', optional: true, computed: true },
    fail_when_in_session: { type: 'bool', optional: true, computed: true },
    gateway_url: { type: 'string', computed: true, sensitive: true },
    session_ticket_id: { type: 'string', computed: true, sensitive: true },
  },
} as const satisfies Shape;

/**
 * A ticket for one remote session with a host. It is stored nowhere: use it in provisioners, other providers and
 * ephemeral outputs. Terraform 1.10 or newer opens one ticket in the plan and another in the apply.
 *
 * @example
 * const ticket = new EphemeralConnectionTicket(stack, 'ticket', { hostId: '1001' });
 */
export class EphemeralConnectionTicket extends TerraformElement {
  static readonly tfResourceType = 'rampart_connection_ticket';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  /** The given properties. */
  readonly input: EphemeralConnectionTicketConfig;
  readonly terraformResourceType = EphemeralConnectionTicket.tfResourceType;

  constructor(scope: Construct, id: string, config: EphemeralConnectionTicketConfig) {
    super(scope, id, `ephemeral.${EphemeralConnectionTicket.tfResourceType}`);
    this.input = config;
  }

  get hostId(): string {
    return Token.asString(this.#attribute('host_id'));
  }

  get directLink(): IResolvable {
    return this.#attribute('direct_link');
  }

  get failWhenInSession(): IResolvable {
    return this.#attribute('fail_when_in_session');
  }

  /** The link to connect with. Anyone who has the link can connect. */
  get gatewayUrl(): string {
    return Token.asString(this.#attribute('gateway_url'));
  }

  /** The ticket's number. */
  get sessionTicketId(): string {
    return Token.asString(this.#attribute('session_ticket_id'));
  }

  override toTerraform(): object {
    return this.#block(argumentsOf(shape, this.input));
  }

  override toHclTerraform(): object {
    return this.#block(hclArgumentsOf(shape, this.input));
  }

  #attribute(name: keyof typeof shape.attributes): IResolvable {
    return ref(`ephemeral.${this.terraformResourceType}.${this.friendlyUniqueId}.${name}`, this.cdktfStack);
  }

  #block(terms: Record<string, unknown>): object {
    const { provider, dependsOn } = this.input;
    const block = {
      ...terms,
      ...(provider === undefined ? {} : { provider: provider.fqn }),
      ...(dependsOn === undefined ? {} : { depends_on: dependsOn.map(dependable) }),
      ...(this.rawOverrides as object),
      '//': this.constructNodeMetadata,
    };
    return { ephemeral: { [this.terraformResourceType]: { [this.friendlyUniqueId]: block } } };
  }
}
