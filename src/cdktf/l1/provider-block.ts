import { TerraformProvider } from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata, type Kind } from './kind.ts';

/**
 * The base of the provider's own class. Generated bindings use it, which knip does not read.
 *
 * @public
 */
export abstract class ProviderBlock<Config extends { readonly alias?: string }> extends TerraformProvider {
  /** The given properties. */
  readonly input: Config;
  readonly #kind: Kind;

  constructor(
    scope: Construct,
    id: string,
    config: Config,
    kind: Kind & { readonly providerSource: string },
  ) {
    super(scope, id, {
      terraformResourceType: kind.tfResourceType,
      terraformGeneratorMetadata: generatorMetadata(kind),
      terraformProviderSource: kind.providerSource,
    });
    this.input = config;
    this.#kind = kind;
  }

  // cdktf ignores an assignment.
  override get alias(): string | undefined {
    return this.input.alias;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(this.#kind.takes, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(this.#kind.takes, this.input);
  }
}
