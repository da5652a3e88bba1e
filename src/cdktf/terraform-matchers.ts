import { testingMatchers } from 'cdktf';

/** The class of a resource, a data source or a provider. */
interface Kind {
  readonly tfResourceType: string;
}

/** The `this` that vitest and Jest pass to a matcher. */
interface MatcherState {
  readonly equals: (actual: unknown, expected: unknown) => boolean;
}

interface Verdict {
  readonly pass: boolean;
  readonly message: () => string;
}

type Properties = Readonly<Record<string, unknown>>;

/**
 * The matchers that `terraformMatchers` adds to `expect(Testing.synth(stack))` and `expect(Testing.fullSynth(stack))`.
 */
export interface TerraformMatchers<R = void> {
  toHaveResource(kind: Kind): R;
  /** One of them has these properties, by their Terraform names; a value may be a matcher of `expect`. */
  toHaveResourceWithProperties(kind: Kind, properties: Properties): R;
  toHaveDataSource(kind: Kind): R;
  toHaveDataSourceWithProperties(kind: Kind, properties: Properties): R;
  toHaveProvider(kind: Kind): R;
  toHaveProviderWithProperties(kind: Kind, properties: Properties): R;
  /** The folder of a synthesized app passes `terraform init` and `terraform validate`. */
  toBeValidTerraform(): R;
  /** The folder of a synthesized app passes `terraform init` and `terraform plan`. */
  toPlanSuccessfully(): R;
}

const { toBeValidTerraform, toPlanSuccessfully, returnMatcherToJest } = testingMatchers;
const resource = having(testingMatchers.getToHaveResourceWithProperties);
const dataSource = having(testingMatchers.getToHaveDataSourceWithProperties);
const provider = having(testingMatchers.getToHaveProviderWithProperties);

/** The matchers of cdktf for a test runner without globals: `expect.extend(terraformMatchers)`. */
export const terraformMatchers = {
  toHaveResource: resource,
  toHaveResourceWithProperties: resource,
  toHaveDataSource: dataSource,
  toHaveDataSourceWithProperties: dataSource,
  toHaveProvider: provider,
  toHaveProviderWithProperties: provider,
  toBeValidTerraform: (folder: string): Verdict => returnMatcherToJest(toBeValidTerraform(folder)),
  toPlanSuccessfully: (folder: string): Verdict => returnMatcherToJest(toPlanSuccessfully(folder)),
};

function having(matcherBy: typeof testingMatchers.getToHaveResourceWithProperties) {
  return function (this: MatcherState, stack: string, kind: Kind, properties: Properties = {}): Verdict {
    const matcher = matcherBy((items: readonly Properties[], expected) =>
      items.some((item) => Object.entries(expected).every(([name, value]) => this.equals(item[name], value))),
    );
    return returnMatcherToJest(matcher(stack, kind, properties));
  };
}
