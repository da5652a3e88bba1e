import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { ShownVerification } from '../../../api/settings.ts';
import { counted } from '../../../output/components/numbers.ts';
import { announce } from '../../browser/announce.ts';
import { type ApiAnswer, read } from '../../data/api.ts';
import { Button } from '../../parts/button.tsx';
import { Banner, ErrorState } from '../../parts/states.tsx';
import { Time } from '../../parts/time.tsx';

const tones = { intact: 'green', unsigned: 'amber', broken: 'red' } as const;

function verdictWords({ verdict, records, fault_count: faults }: ShownVerification): string {
  switch (verdict) {
    case 'intact':
      return `The audit log is intact: ${counted(records, 'record')} checked.`;
    case 'unsigned':
      return `No fault is visible in ${counted(records, 'record')}, but the log is not signed.`;
    case 'broken':
      return `The audit log was altered: ${counted(faults, 'fault')}.`;
  }
}

/** Checks the chain of hashes on the server: a button, and its result for another place of the page. */
export function useVerification(isAllowed: boolean): {
  readonly button: ComponentChildren;
  readonly result: ComponentChildren;
} {
  const [isBusy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<ApiAnswer<ShownVerification> | null>(null);
  const verify = async () => {
    setBusy(true);
    setAnswer(null);
    const next = await read<ShownVerification>('/audit/verify');
    if (next.ok) announce(verdictWords(next.value));
    setAnswer(next);
    setBusy(false);
  };
  const result = answer?.ok === true ? answer.value : null;
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
          <Banner tone={tones[result.verdict]} isUrgent={result.verdict === 'broken'}>
            {verdictWords(result)} {result.faults[0]?.message ?? ''}
            {result.unnoticed.length === 0 ? null : (
              <ul>
                {result.unnoticed.map((each) => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            )}
            <span class="dim">
              (<Time at={result.at} />)
            </span>
          </Banner>
        )}
        <ErrorState tried="Verifying the audit log" problem={answer?.ok === false ? answer.problem : null} />
      </>
    ),
  };
}
