/** What a resource remembers of an install on host 1. Times are in milliseconds since the epoch. */

const iso = (time: number) => new Date(time).toISOString();

export function accepted(at: number) {
  return { installs: [{ hostId: '1', state: 'accepted', requestedAt: iso(at) }] };
}

export function inDoubt(at: number, refreshedAt?: number) {
  const refreshed = refreshedAt === undefined ? {} : { refreshedAt: iso(refreshedAt) };
  return { installs: [{ hostId: '1', state: 'in-doubt', requestedAt: iso(at), ...refreshed }] };
}
