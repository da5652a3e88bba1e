import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { LocationProvider } from 'preact-iso/router';
import type { Me, Overview } from '../../api/overview.ts';
import { announcement } from '../browser/announce.ts';
import { forgetRecent, isExpired, refusals, signedIn } from '../data/api.ts';
import { closeStream, openStream } from '../data/live.ts';
import { OverviewContext } from '../data/overview.ts';
import { useResource } from '../data/resource.ts';
import { ErrorState, Skeleton } from '../parts/states.tsx';
import { Banners } from './banners.tsx';
import { KeyboardCommands } from './commands.tsx';
import { Header } from './header.tsx';
import { Routes } from './routes.tsx';
import { NoRole, noRolePath, SignIn } from './sign-in.tsx';

/** The console. */
export function App() {
  return location.pathname === noRolePath ? <NoRole /> : <Console />;
}

/** It knows its user before it shows anything else. */
function Console() {
  const { value, problem, reload } = useResource<Me>('/me');
  useEffect(() => {
    if (value === null) return;
    if (signedIn.value !== null && signedIn.value.subject.id !== value.subject.id) forgetRecent();
    signedIn.value = value;
    isExpired.value = false;
    openStream();
    return closeStream;
  }, [value]);
  const refused = refusals.value;
  useEffect(() => {
    // The roles of the reader may have changed since they were read.
    if (refused > 0) reload();
  }, [refused, reload]);
  useEffect(() => {
    // The reader may have signed in again in another tab.
    const look = () => {
      if (isExpired.value || value === null) reload();
    };
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [value, reload]);
  if (value === null) {
    if (problem?.status === 401) return <SignIn />;
    return (
      <main class="alone" id="main">
        {problem === null ? (
          <Skeleton lines={3} label="Loading the console" />
        ) : (
          <ErrorState problem={problem} tried="Opening the console" onRetry={reload} />
        )}
      </main>
    );
  }
  return (
    <LocationProvider>
      <OverviewProvider>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Header />
        <Banners />
        <main id="main" tabIndex={-1}>
          <Routes />
        </main>
        <KeyboardCommands />
        <p class="unseen" role="status">
          {announcement.value}
        </p>
      </OverviewProvider>
    </LocationProvider>
  );
}

/** Reads the overview once for all parts of the page, and again after events. */
function OverviewProvider({ children }: { readonly children: ComponentChildren }) {
  const overview = useResource<Overview>('/overview', { when: ({ type }) => type !== 'run.event' });
  return <OverviewContext.Provider value={overview}>{children}</OverviewContext.Provider>;
}
