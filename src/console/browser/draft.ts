import { useCallback, useState } from 'preact/hooks';

const prefix = 'rampart.draft.';

/**
 * What a reader typed into a form, kept for this tab, so that signing in again or a reload loses nothing. An empty value
 * is forgotten.
 */
export function useDraft(name: string, first = ''): readonly [string, (value: string) => void] {
  const [value, setValue] = useState(() => kept(name) ?? first);
  const change = useCallback(
    (next: string) => {
      setValue(next);
      keep(name, next);
    },
    [name],
  );
  return [value, change];
}

/** Forgets every draft whose name has this prefix, for example after a form was sent. */
export function forgetDrafts(beginning: string): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(prefix + beginning)) sessionStorage.removeItem(key);
  } catch {
    // Without storage there is nothing to forget.
  }
}

function kept(name: string): string | null {
  try {
    return sessionStorage.getItem(prefix + name);
  } catch {
    // A browser may refuse storage.
    return null;
  }
}

function keep(name: string, value: string): void {
  try {
    if (value === '') sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, value);
  } catch {
    // The form still holds it.
  }
}
