import { type Group, type GroupId, ungroupedId } from '../../core/model/observed.ts';

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d|ungrouped|group-.*)$/;

/**
 * A file name for each group, without an extension: the group's name if it gives a file name that no other group has,
 * else its id. It stays the same, whichever groups are written.
 */
export function createFileNames(groups: readonly Group[]): (id: GroupId) => string {
  const slugs = new Map(groups.map(({ id, name }) => [id, slugOf(name ?? '')]));
  const uses = Map.groupBy(slugs.values(), (slug) => slug);
  return (id) => {
    if (id === ungroupedId) return 'ungrouped';
    const slug = slugs.get(id) ?? '';
    if (slug === '' || reserved.test(slug)) return `group-${id}`;
    return uses.get(slug)?.length === 1 ? slug : `group-${id}-${slug}`;
  };
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, 60)
    .replace(/-$/, '');
}
