import type { ApiRoute } from '../route.ts';
import { meRoutes } from './me.ts';

/** Every operation of the API. A test fails if one names no action. */
export const routes: readonly ApiRoute[] = [...meRoutes];
