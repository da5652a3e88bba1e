import type { Hono } from 'hono';
import { forgeKinds } from '../../../forge/forge.ts';
import { readAtMost } from '../../http/read-body.ts';
import { type HookParts, receiveHook } from './receive-hook.ts';

/** The largest body of a webhook, in bytes. */
const mostHookBytes = 5 * 1024 * 1024;

/** Adds `/hooks/github/{source}` and `/hooks/gitlab/{source}`. They need no session: each webhook has its own secret. */
export function mountHooks(app: Hono, parts: HookParts): void {
  for (const forge of forgeKinds) {
    app.post(`/hooks/${forge}/:source`, async (context) => {
      const body = await readAtMost(context.req.raw, mostHookBytes);
      if (body === undefined) return context.json({ message: 'the webhook is larger than 5 MiB' }, 413);
      const { status, message } = await receiveHook(
        { forge, source: context.req.param('source'), headers: context.req.raw.headers, body },
        parts,
      );
      return context.json({ message }, status);
    });
  }
}
