import { TerraformStack, Testing } from 'cdktf';
import { RampartProvider } from '../../../src/cdktf/index.ts';

export type Document = Readonly<Record<string, unknown>>;

/** A stack called `fleet` as Terraform would read it; problems of the constructs are thrown. */
export function synthesized(build: (stack: TerraformStack) => void): Document {
  const stack = new TerraformStack(Testing.app(), 'fleet');
  build(stack);
  return documentOf(stack);
}

/** The same with the provider. */
export function withProvider(build: (stack: TerraformStack) => void): Document {
  return synthesized((stack) => {
    new RampartProvider(stack, 'rampart');
    build(stack);
  });
}

export function documentOf(stack: TerraformStack): Document {
  return JSON.parse(Testing.synth(stack, true)) as Document;
}

/** As a reviewer reads it: keys in order, whichever core wrote it, and no folder of the machine that it was made on. */
export function reviewed(document: unknown): string {
  const { terraform, ...rest } = document as { readonly terraform: Document };
  const { backend: _, ...needs } = terraform;
  const text = JSON.stringify(sorted({ ...rest, terraform: needs }), null, 2);
  return `${text.replaceAll(JSON.stringify(process.cwd()).slice(1, -1), '.')}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}
