import { counted, figure } from '../../../output/components/numbers.ts';
import { type Changes, consoleAddress } from '../../browser/address.ts';
import { Button, ButtonLink } from '../../parts/button.tsx';
import { changeTitles, type ProposedKind } from '../propose/propose-words.ts';

interface ChosenBarProps {
  /** Keys of hosts. */
  readonly chosen: ReadonlySet<string>;
  /** The parameters of the search, and how many hosts it finds; null if that is not known. */
  readonly search: Changes;
  readonly found: number | null;
  readonly onClear: () => void;
}

/** An address has no room for more. */
const mostChosen = 200;
const kinds: readonly ProposedKind[] = ['move', 'rename', 'antivirus', 'delete'];

/** What can be done to the chosen hosts: each leads to a change of their desired state. */
export function ChosenBar({ chosen, search, found, onClear }: ChosenBarProps) {
  if (chosen.size === 0) return null;
  const isTooMany = chosen.size > mostChosen;
  return (
    <section class="bulk-bar" aria-label="Chosen hosts">
      <strong>{counted(chosen.size, 'host')} chosen</strong>
      {isTooMany ? (
        <span class="dim">Choose at most {mostChosen}, or all that match.</span>
      ) : (
        kinds.map((change) => (
          <ButtonLink key={change} href={consoleAddress.propose({ change, host: [...chosen] })}>
            {changeTitles[change]}…
          </ButtonLink>
        ))
      )}
      {found === null || found <= chosen.size ? null : (
        <ButtonLink href={consoleAddress.propose({ ...search, all: 'true' })}>
          All {figure(found)} that match…
        </ButtonLink>
      )}
      <Button kind="quiet" onClick={onClear}>
        Clear
      </Button>
    </section>
  );
}
