import { isExpired, isReachable, signedIn } from '../data/api.ts';
import { connection } from '../data/live.ts';
import { Banner } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { signInAddress } from './sign-in.tsx';

/** What concerns every page: an expired session, a lost connection, an emulated service. */
export function Banners() {
  const live = connection.value;
  const isOffline = !isReachable.value || live.state === 'lost';
  return (
    <div class="banners">
      {isExpired.value ? (
        <Banner
          tone="red"
          isUrgent
          action={
            <a class="button" href={signInAddress()} target="_blank" rel="noopener">
              Sign in in a new tab
            </a>
          }
        >
          Your session has expired. What you typed stays on this page while you sign in again.
        </Banner>
      ) : isOffline ? (
        <Banner tone="amber" isUrgent>
          The connection to the server is lost
          {live.state === 'lost' ? (
            <>
              {' '}
              (<Time at={new Date(live.since).toISOString()} />)
            </>
          ) : null}
          . You see what was last read. The console reconnects automatically.
        </Banner>
      ) : null}
      {signedIn.value?.server.is_emulator === true ? (
        <p class="fine">This server works on emulated accounts. No real fleet is changed.</p>
      ) : null}
    </div>
  );
}
