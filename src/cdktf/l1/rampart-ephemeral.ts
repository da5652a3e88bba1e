import {
  dependable,
  type IResolvable,
  ref,
  TerraformElement,
  type TerraformMetaArguments,
  Token,
} from 'cdktf';
import type { Construct } from 'constructs';
import { defined } from '../../core/lib/defined.ts';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import type { Kind } from './kind.ts';

/**
 * The base of every ephemeral resource of the provider: cdktf has none.
 *
 * @public
 */
export abstract class RampartEphemeral<
  Config extends Pick<TerraformMetaArguments, 'provider' | 'dependsOn'>,
> extends TerraformElement {
  /** The given properties. */
  readonly input: Config;
  readonly terraformResourceType: string;
  readonly #kind: Kind;

  constructor(scope: Construct, id: string, config: Config, kind: Kind) {
    super(scope, id, `ephemeral.${kind.tfResourceType}`);
    this.input = config;
    this.terraformResourceType = kind.tfResourceType;
    this.#kind = kind;
  }

  override toTerraform(): object {
    return this.#block(argumentsOf(this.#kind.takes, this.input));
  }

  override toHclTerraform(): object {
    return this.#block(hclArgumentsOf(this.#kind.takes, this.input));
  }

  protected getStringAttribute(name: string): string {
    return Token.asString(this.getBooleanAttribute(name));
  }

  protected getBooleanAttribute(name: string): IResolvable {
    return ref(`ephemeral.${this.terraformResourceType}.${this.friendlyUniqueId}.${name}`, this.cdktfStack);
  }

  #block(terms: Record<string, unknown>): object {
    const { provider, dependsOn } = this.input;
    const block = {
      ...terms,
      ...defined({ provider: provider?.fqn, depends_on: dependsOn?.map(dependable) }),
      ...(this.rawOverrides as object),
      '//': this.constructNodeMetadata,
    };
    return { ephemeral: { [this.terraformResourceType]: { [this.friendlyUniqueId]: block } } };
  }
}
