import { useEffect } from 'preact/hooks';
import { ButtonLink } from '../parts/button.tsx';
import { EmptyState } from '../parts/states.tsx';

/** The address that signs in and comes back to this page. */
export function signInAddress(): string {
  return `/login?return=${encodeURIComponent(location.pathname + location.search)}`;
}

export function SignIn() {
  useEffect(() => {
    document.title = 'Sign in · Rampart';
  }, []);
  return (
    <main class="alone" id="main">
      <h1>Rampart</h1>
      <EmptyState
        title="You are not signed in"
        action={
          <ButtonLink kind="primary" href={signInAddress()}>
            Sign in
          </ButtonLink>
        }
      >
        <p>The console shows accounts, plans and runs to people with a role on this server.</p>
        <p>If this server has no single sign-on, open the link that it printed when it started.</p>
      </EmptyState>
    </main>
  );
}

/** The server sends people here who signed in and have no role. */
export const noRolePath = '/no-role';

export function NoRole() {
  useEffect(() => {
    document.title = 'No role · Rampart';
  }, []);
  return (
    <main class="alone" id="main">
      <h1>Rampart</h1>
      <EmptyState
        title="Your account has no role on this server"
        action={
          <ButtonLink kind="primary" href="/login?prompt=login">
            Sign in as someone else
          </ButtonLink>
        }
      >
        <p>Ask an administrator to add one of your groups to the roles of the server.</p>
      </EmptyState>
    </main>
  );
}
