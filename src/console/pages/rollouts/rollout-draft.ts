/** The beginning of the names of all drafts of the page that starts a rollout. */
export const rolloutDraft = 'rollout.new.';
/** Proxies refuse much longer addresses. A choice of accounts that does not fit is kept for this tab. */
export const mostInAddress = 6_000;

/** Names of accounts, which have no blanks, as an address or a draft holds them. */
export function accountsIn(text: string): readonly string[] {
  return text.split(' ').filter((name) => name !== '');
}
