import type { Hono } from 'hono';
import { decideByComment } from '../approvals/routes/commented-decision.ts';
import { decidePlan } from '../approvals/routes/decide-plan.ts';
import type { HttpParts } from '../http/route.ts';
import { forgeChannel } from '../plans/records/commit-plans.ts';
import { mountHooks } from '../sources/routes/mount-hooks.ts';
import type { ServerParts } from './open-parts.ts';

/** The time between two fetches of a source, however many pushes there are, in milliseconds. */
const betweenFetchesMs = 2_000;

/** Webhooks of this server: pushes fetch their source, and comments on pull requests decide plans. */
export function mountServerHooks(
  app: Hono,
  { settings, store, env, hide, clock, queue }: ServerParts,
  http: () => HttpParts,
): void {
  mountHooks(app, {
    settings,
    store,
    env,
    hide,
    clock,
    answer: (source, answer) =>
      store.notifications.enqueue([
        {
          channel: forgeChannel(source),
          kind: 'answer',
          account: null,
          topic: String(answer.pull),
          facts: { ...answer },
          delayMs: 0,
        },
      ]),
    fetch: async (source) => {
      const known = (await store.sources.list()).find(({ name }) => name === source);
      const passedMs = clock.now() - (known?.fetchedAt?.getTime() ?? 0);
      const delayMs = Math.min(betweenFetchesMs, Math.max(0, betweenFetchesMs - passedMs));
      await queue.send('fetch', [source], delayMs === 0 ? {} : { delayMs });
    },
    decide: async (comment) =>
      decideByComment(comment, {
        settings,
        store,
        decide: async (plan, identity, visible, command) =>
          decidePlan({ parts: http(), identity, visible, peer: { address: 'webhook' } }, plan.id, {
            ...command,
            via: 'pull-request',
          }),
      }),
  });
}
