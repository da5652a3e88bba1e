/** The number of hosts, and of hosts in each `resource` block: one block costs Terraform the square of its size. */
export interface Blocks {
  readonly count: number;
  readonly size: number;
}

/** A resource in the form of configuration and state; both contain the host's id. */
export type ResourceKind = 'rampart_host' | 'terraform_data';

const head = 'terraform {\n  required_providers {\n    rampart = { source = "acme/rampart" }\n  }\n}\n';

const firstId = 700_000_001;

const nameOf = (prefix: string, id: string): string => `${prefix}-${id}`;

const bodies: Readonly<Record<ResourceKind, (prefix: string) => string>> = {
  rampart_host: (prefix) => `  host_id  = each.key\n  name     = "${nameOf(prefix, '${each.key}')}"\n`,
  terraform_data: (prefix) =>
    `  input    = { host_id = each.key, name = "${nameOf(prefix, '${each.key}')}" }\n`,
};

export function configurationOf(kind: ResourceKind, { count, size }: Blocks, prefix: string): string {
  const blocks = Array.from({ length: count }, (_, block) => {
    const from = firstId + block * size;
    const keys = `toset([for i in range(${from}, ${from + size}) : tostring(i)])`;
    return `resource "${kind}" "block_${block}" {\n  for_each = ${keys}\n${bodies[kind](prefix)}}\n`;
  });
  return (kind === 'rampart_host' ? head : '') + blocks.join('');
}

export function hostsOf({ count, size }: Blocks, prefix: string): readonly { id: string; name: string }[] {
  return Array.from({ length: count * size }, (_, index) => {
    const id = String(firstId + index);
    return { id, name: nameOf(prefix, id) };
  });
}

/** The same hosts as one resource: `rampart_fleet`, and the file that it reads. */
export function fleetOf(blocks: Blocks, prefix: string): Readonly<Record<string, string>> {
  const entries = hostsOf(blocks, prefix).map(({ id, name }) => `  - { id: ${id}, name: ${name} }\n`);
  return {
    'main.tf': `${head}resource "rampart_fleet" "all" {\n  content = file("fleet.yaml")\n}\n`,
    'fleet.yaml': `version: 1\nhosts:\n${entries.join('')}`,
  };
}

interface State {
  readonly resources: readonly { readonly name: string; readonly instances: readonly unknown[] }[];
}

/**
 * A state of many hosts from the state of the first: applying thousands takes Terraform half an hour, because it writes
 * the whole file after each.
 */
export function repeatState(state: string, { count, size }: Blocks): string {
  const whole = JSON.parse(state) as State;
  const [one] = whole.resources;
  if (one === undefined) throw new Error('nothing was applied');
  const instance = JSON.stringify(one.instances[0]);
  const resources = Array.from({ length: count }, (_, block) => ({
    ...one,
    name: `block_${block}`,
    instances: Array.from({ length: size }, (__, index) => {
      const id = String(firstId + block * size + index);
      return JSON.parse(instance.replaceAll(String(firstId), id)) as unknown;
    }),
  }));
  return JSON.stringify({ ...whole, resources });
}
