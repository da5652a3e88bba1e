import { TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { type Entry, entryTable } from '../core/model/entry.ts';
import { toHostId } from '../core/model/observed.ts';
import { formatPlace, noLine } from '../core/problem/problem.ts';
import { checkClaims } from '../input/claims/check-claims.ts';
import type { HostClaim } from './aspects/claim.ts';
import { claimsOf } from './aspects/claims-of.ts';
import { knownText, readStackText, type StackText } from './aspects/stack-text.ts';

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

/** What a resource sets of one host. */
interface Intent {
  readonly path: string;
  readonly provider: unknown;
  readonly id?: StackText | undefined;
  readonly name?: StackText | undefined;
  readonly group?: unknown;
  readonly deletes?: HostClaim['deletes'];
  /** The position in the content of a fleet. */
  readonly place?: string;
}

const checked = new WeakMap<TerraformStack, Set<Checked>>();

/**
 * Synth then fails for stacks that no plan accepts: two groups for one resource, or hosts and names that occur twice.
 */
export function checkInStack(resource: Checked): void {
  const stack = TerraformStack.of(resource);
  const known = checked.get(stack);
  if (known !== undefined) return void known.add(resource);
  const resources = new Set([resource]);
  checked.set(stack, resources);
  stack.node.addValidation({ validate: () => faultsOf([...resources]) });
}

function faultsOf(resources: readonly Checked[]): string[] {
  // Accounts of other providers can have equal ids and names.
  const accounts = [...Map.groupBy(resources.flatMap(intentsOf), ({ provider }) => provider).values()];
  return [
    ...resources.flatMap(groupFaults),
    ...accounts.flatMap((all) => [
      ...conflicts(
        'name',
        all.filter(({ name }) => name !== undefined),
      ),
      ...conflicts(
        'group',
        all.flatMap((each) => (each.group === undefined ? [] : { ...each, name: undefined })),
      ),
    ]),
  ];
}

/** The check of a file's entries, for what the resources of one account set. */
function conflicts(what: string, intents: readonly Intent[]): readonly string[] {
  const entries = intents.map(
    ({ id, name, deletes }, index) =>
      ({
        index,
        id: toHostId(knownText(id) ?? ''),
        name: knownText(name),
        previously: [],
        antivirus: false,
        ensure: deletes === 'now' ? 'absent' : 'present',
      }) as Partial<Entry> as Entry,
  );
  const placeOf = (index: number) => {
    const { path: file, place } = intents[index] as Intent;
    return { file, line: noLine, col: noLine, ...(place === undefined ? {} : { part: place }) };
  };
  return checkClaims({ ...entryTable(entries), placeOf, positionOf: placeOf })
    .filter(({ severity }) => severity === 'error')
    .map(({ message, hint, place, related: [first, ...others] = [] }) => {
      const places = [first, place, ...others].flatMap((each) =>
        each === undefined ? [] : formatPlace(each),
      );
      return `${places.join(' and ')} set the ${what}: ${message} (${hint})`;
    });
}

function groupFaults({ node, input }: Checked): readonly string[] {
  const { group, groupId } = input as Given;
  const isKnown = (value: unknown) => value !== undefined && readStackText(value)?.kind === 'known';
  return isKnown(group) && isKnown(groupId) ? [`${node.path}: set either group or groupId, not both`] : [];
}

function intentsOf(resource: Checked): readonly Intent[] {
  const { path } = resource.node;
  const given = resource.input as Given;
  const { hostId, name, group = given.groupId, provider } = given;
  // Properties are quicker to read than the arguments of a synthesized resource.
  if (!('hostIds' in given) && !('content' in given) && !('host' in given) && given.forEach === undefined)
    return [{ path, provider, id: readStackText(hostId), name: readStackText(name), group }];
  return claimsOf(resource).flatMap((claim) => (claim.kind === 'host' ? { ...claim, path, provider } : []));
}
