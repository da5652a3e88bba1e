import type { ApiRoute } from '../route.ts';
import { accountRoutes } from './accounts.ts';
import { auditRoutes } from './audit.ts';
import { eventRoutes } from './events.ts';
import { hostRoutes } from './hosts.ts';
import { ignoreRoutes } from './ignores.ts';
import { meRoutes } from './me.ts';
import { overviewRoutes } from './overview.ts';
import { pauseRoutes } from './pauses.ts';
import { planRoutes } from './plans.ts';
import { rolloutRoutes } from './rollouts.ts';
import { runRoutes } from './runs.ts';
import { settingsRoutes } from './settings.ts';
import { startRolloutRoutes } from './start-rollout.ts';
import { tokenRoutes } from './tokens.ts';

/** Every operation of the API. A test fails if one names no action. */
export const routes: readonly ApiRoute[] = [
  ...meRoutes,
  ...overviewRoutes,
  ...accountRoutes,
  ...ignoreRoutes,
  ...hostRoutes,
  ...planRoutes,
  ...runRoutes,
  ...rolloutRoutes,
  ...startRolloutRoutes,
  ...auditRoutes,
  ...settingsRoutes,
  ...tokenRoutes,
  ...pauseRoutes,
  ...eventRoutes,
];
