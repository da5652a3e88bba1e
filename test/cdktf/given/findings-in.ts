import { type App, Aspects, type IAspect, TerraformStack, Testing } from 'cdktf';
import { RampartProvider } from '../../../src/cdktf/index.ts';

export interface Annotation {
  readonly path: string;
  readonly level: string;
  readonly message: string;
}

/** A stack with the provider. */
export function fleetStack(app = Testing.app()): TerraformStack {
  const stack = new TerraformStack(app, 'fleet');
  new RampartProvider(stack, 'rampart');
  return stack;
}

/** The findings of aspects in a stack, in the order of its constructs, after several synths. */
export function findingsIn(
  aspects: readonly IAspect[],
  make: (stack: TerraformStack, app: App) => void,
  synths = 1,
): readonly Annotation[] {
  const app = Testing.app();
  const stack = fleetStack(app);
  make(stack, app);
  for (const aspect of aspects) Aspects.of(stack).add(aspect);
  for (let synth = 0; synth < synths; synth += 1) Testing.synth(stack, true);
  return annotationsOf(stack);
}

/** The same, each as one line, without the name of this rule unless it is empty. */
export function linesOf(rule: string, ...given: Parameters<typeof findingsIn>): readonly string[] {
  return findingsIn(...given).map(({ path, level, message }) =>
    `${level} ${path}: ${message}`.replace(`rampart:${rule}: `, ''),
  );
}

export type Make = Parameters<typeof findingsIn>[1];

export function annotationsOf(stack: TerraformStack): readonly Annotation[] {
  return stack.node.findAll().flatMap(({ node }) =>
    node.metadata
      .filter(({ type }) => /^@cdkt[fn]\/(error|warn|info)$/.test(type))
      .map(({ type, data }) => ({
        path: node.path,
        level: type.slice('@cdktf/'.length),
        message: String(data),
      })),
  );
}
