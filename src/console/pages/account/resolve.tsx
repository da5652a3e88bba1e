import { consoleAddress } from '../../browser/address.ts';
import { maySomewhere } from '../../data/may.ts';
import { ButtonLink } from '../../parts/button.tsx';

/** The three reactions to drift, for all differences of an account. The button "Plan" is above all tabs. */
export function Resolve({ account }: { readonly account: string }) {
  return (
    <ul class="resolve fine" aria-label="What you can do">
      {maySomewhere('plan') ? (
        <>
          <li>"Plan" makes the fleet match the file, after approval.</li>
          <li>
            <ButtonLink href={consoleAddress.propose({ drift: account })}>Adopt everything…</ButtonLink>
            <span>Make the file match the fleet, with a patch.</span>
          </li>
        </>
      ) : null}
      {maySomewhere('pause') ? <li>Or ignore a difference in its row for a while.</li> : null}
    </ul>
  );
}
