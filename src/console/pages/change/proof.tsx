import { isOpenRun } from '../../../api/states.ts';
import { counted, figure } from '../../../output/components/numbers.ts';
import { Section } from '../../../output/components/section.tsx';
import { consoleAddress } from '../../browser/address.ts';
import { EmptyState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';
import type { ChangeParts } from './change-step.ts';
import { undoableHosts } from './run-words.ts';

/** What reads showed after the last call of a run, and what can be undone. */
export function ProofPanel({ plan, run }: ChangeParts) {
  if (run === null || isOpenRun(run.state))
    return (
      <EmptyState title="Nothing to verify yet">
        After its last call, the run reads the fleet again. Here you see what the read showed.
      </EmptyState>
    );
  const isVerified = run.state === 'done';
  return (
    <Section title="Results of the last read">
      <p>
        The run ended <Time at={run.ended_at} />.{' '}
        {isVerified
          ? `A read after its last call showed ${counted(run.steps.done, 'step')} as done.`
          : 'No read since then confirms all its changes. The next check reads the fleet.'}
      </p>
      {run.steps.in_progress === 0 ? null : (
        <p>
          The service accepted {figure(run.steps.in_progress)} of them, and no read shows their effect yet.
        </p>
      )}
      <p>
        {plan.undone_by === null ? (
          undoText(
            undoableHosts(run),
            run.by_kind.reduce((sum, each) => sum + each.hosts_done, 0),
          )
        ) : (
          <a class="underlined" href={consoleAddress.change(plan.undone_by)}>
            The change that reverses this one
          </a>
        )}
      </p>
    </Section>
  );
}

function undoText(undoable: number, done: number): string {
  if (done === 0) return 'Nothing was changed, so there is nothing to undo.';
  return `${figure(undoable)} of ${figure(done)} host changes can be undone.`;
}
