import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { ButtonLink } from '../parts/button.tsx';
import { EmptyState } from '../parts/states.tsx';

/** The address that signs in and comes back to this page. */
export function signInAddress(): string {
  return `/login?return=${encodeURIComponent(location.pathname + location.search)}`;
}

interface Outside {
  readonly page: string;
  readonly title: string;
  readonly href: string;
  readonly act: string;
  readonly children: ComponentChildren;
}

/** A page for someone who can't see the console yet, with one link to continue. */
function OutsidePage({ page, title, href, act, children }: Outside) {
  useEffect(() => {
    document.title = `${page} · Rampart`;
  }, [page]);
  return (
    <main class="alone" id="main">
      <h1>Rampart</h1>
      <EmptyState
        title={title}
        action={
          <ButtonLink kind="primary" href={href}>
            {act}
          </ButtonLink>
        }
      >
        {children}
      </EmptyState>
    </main>
  );
}

export function SignIn() {
  return (
    <OutsidePage page="Sign in" title="You are not signed in" href={signInAddress()} act="Sign in">
      <p>The console shows accounts, plans and runs to people with a role on this server.</p>
      <p>If this server has no single sign-on, open the link that it printed when it started.</p>
    </OutsidePage>
  );
}

/** The server sends people here who signed in and have no role. */
export const noRolePath = '/no-role';

export function NoRole() {
  return (
    <OutsidePage
      page="No role"
      title="Your account has no role on this server"
      href="/login?prompt=login"
      act="Sign in as someone else"
    >
      <p>Ask an administrator to add one of your groups to the roles of the server.</p>
    </OutsidePage>
  );
}
