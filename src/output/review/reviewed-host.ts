/** `install` is an anti-virus install, `refresh` asks a host for its status. */
export type ReviewAction = 'rename' | 'move' | 'delete' | 'install' | 'refresh';

/** What a plan does to a host, as every review has it. */
interface ReviewedHost {
  readonly action: readonly ReviewAction[];
  /** Why the row deserves a second look. */
  readonly remarks?: readonly string[] | undefined;
  /** `online` or `offline` when the list was read; null if that is not known. */
  readonly online: string | null;
}

/** Neither Rampart nor the service can take back a deletion or an install. */
export function isIrreversible({ action }: Pick<ReviewedHost, 'action'>): boolean {
  return action.includes('delete') || action.includes('install');
}

/** A host that is deleted while it is online is probably still in use. Other changes don't depend on its state. */
export function isDeletedOnline({ action, online }: Pick<ReviewedHost, 'action' | 'online'>): boolean {
  return action.includes('delete') && online === 'online';
}

/** May a change that can be undone be a mistake? Every list of unusual changes has the same hosts. */
export function isUnusual(host: ReviewedHost): boolean {
  return needsAttention(host) && !isIrreversible(host);
}

/** May the change be a mistake, so that a reviewer should look at it before the others? */
export function needsAttention(host: ReviewedHost): boolean {
  return (host.remarks ?? []).length > 0 || isDeletedOnline(host);
}
