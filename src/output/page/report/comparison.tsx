import type { Comparison } from '../../../core/plan/types/plan.ts';
import { figure } from '../../components/numbers.ts';
import { Fold, Section } from '../../components/section.tsx';
import { IdText, Name } from '../../components/text.tsx';
import { changeVerbs, comparisonCounts, comparisonLine, comparisonParts } from '../../review/comparison.ts';

/** Longer lists are folded. */
const mostUnfolded = 25;

/** The changes of a pull request, separate from those that were already pending. */
export function ComparisonSection({ comparison }: { readonly comparison: Comparison | undefined }) {
  if (comparison === undefined) return null;
  return (
    <Section
      id="comparison"
      title="Changes of this pull request"
      lead={comparisonLine(comparisonCounts(comparison), comparison.base)}
    >
      {comparisonParts(comparison).map(({ title, changes }) => (
        <Fold
          key={title}
          title={`${title} (${figure(changes.length)})`}
          isOpen={changes.length <= mostUnfolded}
        >
          <ul class="changes">
            {changes.map(({ kind, hostId, name, to }) => (
              <li key={`${kind} ${hostId}`}>
                {changeVerbs[kind]} <Name name={name} />
                {kind === 'move' && to === null ? ' → no group' : null}
                {(kind === 'rename' || kind === 'move') && to !== null ? (
                  <>
                    {' → '}
                    <Name name={to} />
                  </>
                ) : null}{' '}
                <span class="dim">
                  <IdText id={hostId} />
                </span>
              </li>
            ))}
          </ul>
        </Fold>
      ))}
    </Section>
  );
}
