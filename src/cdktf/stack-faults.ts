import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { quoted } from '../core/lib/quoted.ts';
import { foldName } from '../core/model/host-name.ts';
import type { HostClaim } from './aspects/claim.ts';
import { claimsOf } from './aspects/claims-of.ts';
import { knownText, readStackText } from './aspects/stack-text.ts';

/** The properties of a resource of the provider that the checks read. */
interface Given {
  readonly hostId?: string;
  readonly name?: string;
  readonly group?: string;
  readonly groupId?: string;
  readonly provider?: unknown;
  readonly forEach?: unknown;
}

type Checked = Construct & { readonly input: object };

/** One intent for a host, and the resource that has it. */
interface Intent {
  readonly path: string;
  readonly provider: unknown;
  readonly id: string | undefined;
  readonly name: string | undefined;
  readonly grouped: boolean;
}

const checked = new WeakMap<TerraformStack, Set<Checked>>();

/** Synth then fails for what no plan accepts: two groups for one resource, and hosts and names that occur twice. */
export function checkInStack(resource: Checked): void {
  const stack = TerraformStack.of(resource);
  const known = checked.get(stack);
  if (known !== undefined) return void known.add(resource);
  const resources = new Set([resource]);
  checked.set(stack, resources);
  stack.node.addValidation({ validate: () => faultsOf([...resources]) });
}

function faultsOf(resources: readonly Checked[]): string[] {
  const intents = resources.flatMap(intentsOf);
  const byId = Map.groupBy(intents, ({ id }) => id);
  const byName = Map.groupBy(intents, ({ name }) => (name === undefined ? undefined : foldName(name)));
  byId.delete(undefined);
  byName.delete(undefined);
  return [
    ...resources.flatMap(groupFaults),
    ...[...byId].flatMap(([id, all]) => [
      ...rivalry(
        all.filter(({ name }) => name !== undefined),
        `set the name of host ${id}`,
      ),
      ...rivalry(
        all.filter(({ grouped }) => grouped),
        `set the group of host ${id}`,
      ),
    ]),
    // Equal ids are reported above.
    ...[...byName.values()].flatMap((all) =>
      rivalry(
        all.filter(({ id }, index) => id === undefined || all.findIndex((each) => each.id === id) === index),
        `give a host the name ${quoted(all[0]?.name ?? '')}`,
      ),
    ),
  ];
}

/** Accounts of other providers can have equal ids and names. */
function rivalry(intents: readonly Intent[], doing: string): readonly string[] {
  return [...Map.groupBy(intents, ({ provider }) => provider).values()].flatMap((all) =>
    all.length < 2 ? [] : [`${all.map(({ path }) => path).join(' and ')} both ${doing}: let only one do it`],
  );
}

function groupFaults({ node, input }: Checked): readonly string[] {
  const { group, groupId } = input as Given;
  const isKnown = (value: unknown) => value !== undefined && readStackText(value)?.kind === 'known';
  return isKnown(group) && isKnown(groupId) ? [`${node.path}: set either group or groupId, not both`] : [];
}

function intentsOf(resource: Checked): readonly Intent[] {
  const { path } = resource.node;
  const given = resource.input as Given;
  const { provider } = given;
  if (!('hostIds' in given) && !('content' in given) && !('host' in given) && given.forEach === undefined) {
    const grouped = given.group !== undefined || given.groupId !== undefined;
    const { hostId, name } = given;
    return [
      { path, provider, grouped, id: knownText(readStackText(hostId)), name: knownText(readStackText(name)) },
    ];
  }
  return claimsOf(resource)
    .filter((claim): claim is HostClaim => claim.kind === 'host')
    .map((claim) => ({
      path: claim.place === undefined ? path : `${path} (${claim.place})`,
      provider,
      id: knownText(claim.id),
      name: knownText(claim.name),
      grouped: claim.group !== undefined,
    }));
}
