import { counted, figure } from '../../output/components/numbers.ts';

/** `A plan with 12 changes waits for approval. 2 of them can't be undone.` */
export function changedText({
  changes,
  irreversible,
}: {
  readonly changes: number;
  readonly irreversible: number;
}): string {
  const first = `A plan with ${counted(changes, 'change')} waits for approval.`;
  if (irreversible === 0) return first;
  if (irreversible < changes) return `${first} ${figure(irreversible)} of them can't be undone.`;
  return changes === 1 ? `${first} It can't be undone.` : `${first} None of them can be undone.`;
}
