import { useState } from 'preact/hooks';
import lazy, { ErrorBoundary } from 'preact-iso/lazy';
import { Route, Router } from 'preact-iso/router';
import { consoleAddress } from '../browser/address.ts';
import { OverviewPage } from '../pages/overview/overview.tsx';
import { ButtonLink } from '../parts/button.tsx';
import { Page } from '../parts/page.tsx';
import { EmptyState, ErrorState, Skeleton } from '../parts/states.tsx';

const Accounts = lazy(() => import('../pages/accounts/accounts.tsx').then((file) => file.AccountsPage));
const Account = lazy(() => import('../pages/account/account.tsx').then((file) => file.AccountPage));
const AllCauses = lazy(() => import('../pages/causes/all-causes.tsx').then((file) => file.AllCauses));
const Hosts = lazy(() => import('../pages/hosts/hosts.tsx').then((file) => file.HostsPage));
const Host = lazy(() => import('../pages/host/host.tsx').then((file) => file.Host));
const Propose = lazy(() => import('../pages/propose/propose.tsx').then((file) => file.Propose));
const Change = lazy(() => import('../pages/change/change.tsx').then((file) => file.Change));
const ChangeOfRun = lazy(() => import('../pages/change/change-of-run.tsx').then((file) => file.ChangeOfRun));
const Approvals = lazy(() => import('../pages/approvals/approvals.tsx').then((file) => file.Approvals));
const Rollouts = lazy(() => import('../pages/rollouts/rollouts.tsx').then((file) => file.Rollouts));
const NewRollout = lazy(() =>
  import('../pages/rollouts/new-rollout.tsx').then((file) => file.NewRolloutPage),
);
const Rollout = lazy(() => import('../pages/rollouts/rollout.tsx').then((file) => file.RolloutPage));
const Audit = lazy(() => import('../pages/audit/audit.tsx').then((file) => file.Audit));
const Welcome = lazy(() => import('../pages/welcome/welcome.tsx').then((file) => file.Welcome));
const Settings = lazy(() => import('../pages/settings/settings.tsx').then((file) => file.SettingsPage));

/** The page of each address. Each page but the first is its own file, which loads when it is opened. */
export function Routes() {
  const [fault, setFault] = useState<Error | null>(null);
  const [isLoading, setLoading] = useState(false);
  if (fault !== null)
    return (
      <ErrorState
        problem={{ status: 0, code: 'page-failed', title: "The page can't be shown.", detail: fault.message }}
        onRetry={() => location.reload()}
      />
    );
  return (
    <ErrorBoundary onError={setFault}>
      {isLoading ? <Skeleton lines={8} label="Loading the page" /> : null}
      <Router onLoadStart={() => setLoading(true)} onLoadEnd={() => setLoading(false)}>
        <Route path="/" component={OverviewPage} />
        <Route path="/accounts" component={Accounts} />
        <Route path="/accounts/:name" component={Account} />
        <Route path="/accounts/:name/hosts/:id" component={Host} />
        <Route path="/causes" component={AllCauses} />
        <Route path="/hosts" component={Hosts} />
        <Route path="/propose" component={Propose} />
        <Route path="/changes/:id" component={Change} />
        <Route path="/runs/:id" component={ChangeOfRun} />
        <Route path="/approvals" component={Approvals} />
        <Route path="/rollouts" component={Rollouts} />
        <Route path="/rollouts/new" component={NewRollout} />
        <Route path="/rollouts/:id" component={Rollout} />
        <Route path="/audit" component={Audit} />
        <Route path="/settings" component={Settings} />
        <Route path="/welcome" component={Welcome} />
        <Route default component={NotFound} />
      </Router>
    </ErrorBoundary>
  );
}

function NotFound() {
  return (
    <Page title="No such page">
      <EmptyState
        title="There is no page at this address"
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
