import type { IResolvable, TerraformMetaArguments } from 'cdktf';
import type { Construct } from 'constructs';
import { providerVersion } from './provider-release.ts';
import { RampartDataSource } from './rampart-data-source.ts';
import type { AttributeShapes, Shape } from './shape.ts';
import { type TokensOf, tokensAt } from './tokens-at.ts';

export type DataRampartCustomFieldCategoriesConfig = TerraformMetaArguments;

const named = {
  id: { type: 'string', computed: true },
  name: { type: 'string', computed: true },
} as const satisfies AttributeShapes;

const categoryFacts = {
  ...named,
  values: { nested: 'list', computed: true, attributes: named },
} as const satisfies AttributeShapes;

const shape = {
  attributes: { categories: { nested: 'list', computed: true, attributes: categoryFacts } },
} as const satisfies Shape;

/**
 * The categories of custom fields, and the values that hosts can have in each.
 *
 * @example
 * const fields = new DataRampartCustomFieldCategories(stack, 'fields');
 * new TerraformOutput(stack, 'first', { value: fields.category(0).name });
 */
export class DataRampartCustomFieldCategories extends RampartDataSource<DataRampartCustomFieldCategoriesConfig> {
  static readonly tfResourceType = 'rampart_custom_field_categories';
  static readonly providerVersion = providerVersion;
  static readonly shape = shape;

  constructor(scope: Construct, id: string, config: DataRampartCustomFieldCategoriesConfig = {}) {
    super(scope, id, config, DataRampartCustomFieldCategories);
  }

  /** The categories as a list, for iterators. */
  get categories(): IResolvable {
    return this.interpolationForAttribute('categories');
  }

  /** One of the categories, counted from 0. */
  category(index: number): TokensOf<typeof categoryFacts> {
    return tokensAt(this.categories, index, categoryFacts);
  }
}
