import { TerraformResource } from 'cdktf';
import type { IConstruct } from 'constructs';
import { defined } from '../../core/lib/defined.ts';
import { instancesOf, type StackAttributes } from './attributes.ts';
import { claimsOfContent, type HostClaim, type StackClaim, titleOf } from './claim.ts';
import { claimsOfBlocks } from './claims-of-blocks.ts';
import { groupArgument, readList } from './read-arguments.ts';
import { isLater, knownText, readStackText } from './stack-text.ts';

const readers: Readonly<
  Record<string, (attributes: StackAttributes, resource: TerraformResource) => readonly StackClaim[]>
> = {
  rampart_host: (attributes, resource) => [claimOfHost(attributes, resource)],
  rampart_fleet: claimsOfFleet,
  rampart_group_members: (attributes) => [claimOfMembers(attributes)],
};

/** The claims of a construct; none if it is not a resource of Rampart. */
export function claimsOf(construct: IConstruct): readonly StackClaim[] {
  if (!TerraformResource.isTerraformResource(construct)) return [];
  const read = readers[construct.terraformResourceType];
  return read === undefined
    ? []
    : instancesOf(construct).flatMap((attributes) => read(attributes, construct));
}

function claimOfHost(attributes: StackAttributes, resource: TerraformResource): HostClaim {
  const id = readStackText(attributes['host_id']);
  const name = readStackText(attributes['name']);
  const antivirus = readStackText(attributes['antivirus']);
  const onDestroy = readStackText(attributes['on_destroy']);
  const group = groupArgument(attributes);
  return {
    kind: 'host',
    title: titleOf(id, name),
    ...defined({ id, name, group }),
    previously: id === undefined ? readList(attributes['previously']) : [],
    antivirus: isLater(antivirus) ? 'later' : antivirus !== undefined,
    deletes: isLater(onDestroy) ? 'later' : knownText(onDestroy) === 'delete' ? 'with its resource' : 'never',
    ...(resource.forEach === undefined
      ? { address: `${resource.terraformResourceType}.${resource.friendlyUniqueId}` }
      : {}),
  };
}

function claimOfMembers(attributes: StackAttributes): StackClaim {
  const mode = readStackText(attributes['mode']);
  return {
    kind: 'members',
    title: 'the members',
    group: groupArgument(attributes) ?? { kind: 'ungrouped' },
    hosts: readList(attributes['host_ids']),
    exclusive: isLater(mode) ? 'later' : knownText(mode) === 'authoritative',
    othersTo: { kind: 'ungrouped' },
  };
}

function claimsOfFleet(attributes: StackAttributes, resource: TerraformResource): readonly StackClaim[] {
  const { content } = attributes;
  const file = knownText(readStackText(attributes['file'])) ?? 'fleet.yaml';
  const blocks = claimsOfBlocks(attributes);
  if (typeof content === 'string') return [...claimsOfContent(content, file, resource), ...blocks];
  return content === undefined ? blocks : [{ kind: 'unread', title: file, why: 'later' }];
}
