import { counted } from './numbers.ts';

/** `A plan with 12 changes waits for approval. 2 of them can't be undone.` */
export function changedText({
  changes,
  irreversible,
}: {
  readonly changes: number;
  readonly irreversible: number;
}): string {
  const first = `A plan with ${counted(changes, 'change')} waits for approval.`;
  return irreversible === 0 ? first : `${first} ${irreversible} of them can't be undone.`;
}
