/** The beginning of the names of all drafts of the page that starts a rollout. */
export const rolloutDraft = 'rollout.new.';

/** The accounts that were chosen in the list, as the draft keeps them. */
export function keptAccounts(kept: string): readonly string[] {
  try {
    const names: unknown = JSON.parse(kept === '' ? '[]' : kept);
    return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
