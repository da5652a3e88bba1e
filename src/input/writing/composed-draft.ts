import { commentName } from './comment-text.ts';
import type { GroupDraft, HostDraft } from './fleet-draft.ts';

/** The longest name that the provider accepts. */
const longestName = 10_000;

/** Terraform converts every text to NFC, so a configuration can't contain a name in another form. */
export function composedHost(host: HostDraft): HostDraft {
  const { name = '' } = host;
  if (name.length > longestName)
    return withoutName(host, `has ${name.length} characters, more than the provider accepts`);
  if (name.normalize('NFC') === name) return host;
  return withoutName(host, 'is not in Unicode form NFC, to which Terraform converts every text');
}

/** Such a group is identified by its id. */
export function composedGroup(group: GroupDraft): GroupDraft {
  const { intent } = group;
  if (intent?.kind !== 'named' || intent.name.normalize('NFC') === intent.name) return group;
  return byId(group);
}

/** A host whose name can't be written, and the reason. */
export function withoutName({ name = '', ...rest }: HostDraft, why: string): HostDraft {
  return { ...rest, unclaimed: `its name ${commentName(name)} ${why}` };
}

/** The same group without its name. */
export function byId(group: GroupDraft): GroupDraft {
  return { ...group, intent: { kind: 'id', id: group.groupId } };
}
