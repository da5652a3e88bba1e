import { consoleAddress } from '../browser/address.ts';
import { ButtonLink } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyState } from '../parts/states.tsx';

export function NotFound() {
  return (
    <Page title="No such page">
      <EmptyState
        title="This address has no page"
        action={
          <ButtonLink kind="primary" href={consoleAddress.overview()}>
            Go to the overview
          </ButtonLink>
        }
      >
        <p>Check the link, or search for the account or host.</p>
      </EmptyState>
    </Page>
  );
}
