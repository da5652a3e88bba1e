import { join } from 'node:path';
import { type TerraformStack, Testing } from 'cdktf';
import { expect, test } from 'vitest';
import { OfficesStack } from '../../examples/cdktf/offices-stack.ts';
import { ReviewedStack } from '../../examples/cdktf/reviewed-stack.ts';
import { SecurityStack } from '../../examples/cdktf/security-stack.ts';
import { gallery } from './given/gallery.ts';
import { documentOf, reviewed } from './given/stack.ts';

const desiredState = join(import.meta.dirname, '../../examples/main-job/fleet.yaml');
const provider = { baseUrl: 'https://remote.example.com', companyId: '1234567890' };
const app = Testing.app();

/** The stacks of examples/cdktf, as they are with a real account. */
const stacks: readonly TerraformStack[] = [
  new OfficesStack(app, 'offices', { provider, desiredState }),
  new SecurityStack(app, 'security', { provider }),
  new ReviewedStack(app, 'reviewed', { desiredState }),
];

test.each(stacks.map((stack) => [stack.node.id, stack] as const))(
  'a stack of the examples is what was reviewed %s',
  (name, stack) => expect(reviewed(documentOf(stack))).toMatchFileSnapshot(`../golden/cdktf/${name}.json`),
);

test.each(Object.entries(gallery().stacks))('every construct is as reviewed %s', (name, document) =>
  expect(reviewed(document)).toMatchFileSnapshot(`../golden/cdktf/${name}.json`),
);
