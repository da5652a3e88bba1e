import { accountRoutes } from '../accounts/routes/accounts.ts';
import { overviewRoutes } from '../accounts/routes/overview.ts';
import { pauseRoutes } from '../accounts/routes/pauses.ts';
import { auditRoutes } from '../audit/routes/audit.ts';
import { eventRoutes } from '../events/routes/events.ts';
import { hostRoutes } from '../hosts/routes/hosts.ts';
import { ignoreRoutes } from '../hosts/routes/ignores.ts';
import type { ApiRoute } from '../http/route.ts';
import { planRoutes } from '../plans/routes/plans.ts';
import { proposalRoutes } from '../proposals/routes/proposals.ts';
import { rolloutRoutes } from '../rollouts/routes/rollouts.ts';
import { startRolloutRoutes } from '../rollouts/routes/start-rollout.ts';
import { runRoutes } from '../runs/routes/runs.ts';
import { settingsRoutes } from '../settings/routes/settings.ts';
import { meRoutes } from '../sign-in/routes/me.ts';
import { tokenRoutes } from '../sign-in/routes/tokens.ts';

/** Every operation of the API. A test fails if one declares no action. */
export const routes: readonly ApiRoute[] = [
  ...meRoutes,
  ...overviewRoutes,
  ...accountRoutes,
  ...ignoreRoutes,
  ...hostRoutes,
  ...planRoutes,
  ...proposalRoutes,
  ...runRoutes,
  ...rolloutRoutes,
  ...startRolloutRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...tokenRoutes,
  ...pauseRoutes,
  ...eventRoutes,
];
