import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { AuditVerification } from '../../../api/settings.ts';
import { announce } from '../../browser/announce.ts';
import { type Problem, read } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { Banner, ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/text.tsx';
import { counted } from '../../words/numbers.ts';

/** Checks the chain of hashes on the server: a button, and its result for another place of the page. */
export function useVerification(isAllowed: boolean): {
  readonly button: ComponentChildren;
  readonly result: ComponentChildren;
} {
  const [state, setState] = useState<{
    readonly isBusy: boolean;
    readonly result: AuditVerification | null;
    readonly problem: Problem | null;
  }>({ isBusy: false, result: null, problem: null });
  const verify = async () => {
    setState({ isBusy: true, result: null, problem: null });
    const answer = await read<AuditVerification>('/audit/verify');
    if (answer.ok) announce(answer.value.intact ? 'The audit log is intact.' : 'The audit log was changed.');
    setState({
      isBusy: false,
      result: answer.ok ? answer.value : null,
      problem: answer.ok ? null : answer.problem,
    });
  };
  const { isBusy, result, problem } = state;
  return {
    button: (
      <Button
        onClick={() => void verify()}
        isBusy={isBusy}
        reason={isAllowed ? null : 'Verifying needs a role for all accounts.'}
      >
        {isBusy ? 'Verifying…' : 'Verify the audit log'}
      </Button>
    ),
    result: (
      <>
        {result === null ? null : (
          <Banner tone={result.intact ? 'green' : 'red'} isUrgent={!result.intact}>
            {result.intact
              ? `The audit log is intact: ${counted(result.records, 'record')} checked. `
              : `The audit log was changed${result.broken_at === null ? '' : ` at record ${result.broken_at}`}. `}
            {result.message}{' '}
            <span class="dim">
              (<Time at={result.at} />)
            </span>
          </Banner>
        )}
        {problem === null ? null : <ErrorState tried="Verifying the audit log" problem={problem} />}
      </>
    ),
  };
}
