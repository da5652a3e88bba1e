/** Everyone who commits, approves and edits. */
export const people = ['ada', 'bob', 'cyd'] as const;

export function emailOf(person: string): string {
  return `${person}@example.com`;
}

export function authorOf(person: string): string {
  return `${person} <${emailOf(person)}>`;
}
