import { TerraformDataSource, type TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata, type Kind } from './kind.ts';

/**
 * The base of every data source of the provider.
 *
 * @public
 */
export abstract class RampartDataSource<Config extends TerraformMetaArguments> extends TerraformDataSource {
  /** The given properties. */
  readonly input: Config;
  readonly #kind: Kind;

  constructor(scope: Construct, id: string, config: Config, kind: Kind) {
    super(scope, id, {
      ...config,
      terraformResourceType: kind.tfResourceType,
      terraformGeneratorMetadata: generatorMetadata(kind),
    });
    this.input = config;
    this.#kind = kind;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(this.#kind.takes, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(this.#kind.takes, this.input);
  }
}
