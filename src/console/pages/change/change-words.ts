import { changeWords } from '../../../output/components/change-words.ts';

const limits: Readonly<Record<string, string>> = {
  delete: changeWords.delete.nouns,
  deletions: changeWords.delete.nouns,
  rename: changeWords.rename.nouns,
  move: changeWords.move.nouns,
  antivirus: changeWords.install.nouns,
  missing: 'missing hosts',
};

/** What a limit counts, such as `deletions`. A limit of a later server keeps its own name. */
export function changeNoun(limit: string): string {
  return limits[limit] ?? limit;
}
