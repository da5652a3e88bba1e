import type { IConstruct } from 'constructs';
import { nearest } from '../../../core/lib/nearest.ts';
import { quoted } from '../../../core/lib/quoted.ts';
import { annotateOnce } from './annotate-once.ts';
import { type RuleId, ruleIds } from './rule-id.ts';

/** What `suppress` keeps in the metadata of a construct, as its type and its data. */
const suppressionMetadata = 'rampart:suppression';

export interface Suppression {
  readonly ruleId: RuleId;
  readonly reason: string;
}

/** Those that let a finding pass. */
const used = new WeakSet<Suppression>();

/**
 * Lets what a rule finds at a construct, or at anything inside it, pass with a reason, which is kept in the construct's
 * metadata and shown where it is used. Where it is of no use, synth warns. Throws where there is no such rule, or no reason.
 */
export function suppress(construct: IConstruct, ruleId: RuleId, reason: string): void {
  const { node } = construct;
  if (!ruleIds.includes(ruleId)) throw new Error(`${node.path}: ${unknownRule(String(ruleId))}`);
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new Error(`${node.path}: ${ruleId} is suppressed without a reason`);
  const suppression: Suppression = { ruleId, reason: reason.trim() };
  node.addMetadata(suppressionMetadata, suppression);
  // Validations run when all aspects have run, and before annotations are collected.
  node.addValidation({
    validate: () => {
      if (!used.has(suppression))
        annotateOnce(
          construct,
          'warning',
          `${ruleId}: the suppression is of no use here: ${suppression.reason}`,
        );
      return [];
    },
  });
}

/** The suppression of a rule that holds at a construct: its own, or that of the nearest construct around it. */
export function suppressionAt(construct: IConstruct, ruleId: RuleId): Suppression | undefined {
  for (const { node } of construct.node.scopes.toReversed()) {
    const found = node.metadata
      .filter(({ type }) => type === suppressionMetadata)
      .map(({ data }) => data as Suppression)
      .findLast((each) => each.ruleId === ruleId);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function markUsed(suppression: Suppression): void {
  used.add(suppression);
}

function unknownRule(word: string): string {
  const near = nearest(word, ruleIds);
  return `there is no rule ${quoted(word)}: ${near.length > 0 ? `is it ${near[0]}?` : `there are ${ruleIds.join(', ')}`}`;
}
