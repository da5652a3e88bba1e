import {
  ImportableResource,
  type TerraformMetaArguments,
  type TerraformProvider,
  TerraformResource,
} from 'cdktf';
import type { Construct } from 'constructs';
import { checkInStack } from '../stack-faults.ts';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata } from './provider-release.ts';
import type { Shape } from './shape.ts';

interface Kind {
  readonly tfResourceType: string;
  readonly shape: Shape;
}

/** The base of every resource of the provider. */
export abstract class RampartResource<Config extends TerraformMetaArguments> extends TerraformResource {
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
    checkInStack(this);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(this.#shape, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(this.#shape, this.input);
  }
}

/** Has `cdktf plan` write the configuration of what is not managed yet. */
export function importable(
  scope: Construct,
  id: string,
  target: { readonly terraformResourceType: string; readonly importId: string },
  provider?: TerraformProvider,
): ImportableResource {
  return new ImportableResource(scope, id, provider === undefined ? target : { ...target, provider });
}
