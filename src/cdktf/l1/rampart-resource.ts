import {
  ImportableResource,
  type TerraformMetaArguments,
  type TerraformProvider,
  TerraformResource,
} from 'cdktf';
import type { Construct } from 'constructs';
import { checkInStack } from '../stack-faults.ts';
import { argumentsOf, hclArgumentsOf } from './arguments.ts';
import { generatorMetadata, type Kind } from './kind.ts';

/**
 * The base of every resource of the provider.
 *
 * @public
 */
export abstract class RampartResource<Config extends TerraformMetaArguments> extends TerraformResource {
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
    checkInStack(this);
  }

  protected override synthesizeAttributes(): Record<string, unknown> {
    return argumentsOf(this.#kind.takes, this.input);
  }

  protected override synthesizeHclAttributes(): Record<string, unknown> {
    return hclArgumentsOf(this.#kind.takes, this.input);
  }
}

/**
 * Has `cdktf plan` write the configuration of what is not managed yet.
 *
 * @public
 */
export function importable(
  scope: Construct,
  id: string,
  target: { readonly terraformResourceType: string; readonly importId: string },
  provider?: TerraformProvider,
): ImportableResource {
  return new ImportableResource(scope, id, provider === undefined ? target : { ...target, provider });
}
