import { TerraformDataSource, type TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata } from './provider-release.ts';
import type { Shape } from './shape.ts';

interface Kind {
  readonly tfResourceType: string;
  readonly shape: Shape;
}

/** The base of every data source of the provider. */
export abstract class RampartDataSource<Config extends TerraformMetaArguments> extends TerraformDataSource {
  /** The given properties. */
  readonly input: Config;
  readonly #shape: Shape;

  constructor(scope: Construct, id: string, config: Config, { tfResourceType, shape }: Kind) {
    super(scope, id, {
      ...config,
      terraformResourceType: tfResourceType,
      terraformGeneratorMetadata: generatorMetadata,
    });
    this.input = config;
    this.#shape = shape;
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(this.#shape, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(this.#shape, this.input);
  }
}
