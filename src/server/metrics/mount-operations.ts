import type { Hono } from 'hono';
import type { ServerMetrics } from './server-metrics.ts';

export interface Operations {
  readonly metrics: ServerMetrics;
  /** Why this process can't serve now; empty if it can. */
  readonly faults: () => Promise<readonly string[]>;
}

/** `/healthz`: the process responds. `/readyz`: it can serve. `/metrics`: for Prometheus. None shows an account. */
export function mountOperations(app: Hono, { metrics, faults }: Operations): void {
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  app.get('/readyz', async (context) => {
    const found = await faults();
    return context.json(
      { status: found.length === 0 ? 'ok' : 'unavailable', faults: found },
      found.length === 0 ? 200 : 503,
    );
  });
  app.get('/metrics', async (context) =>
    context.body(await metrics.print(), 200, {
      'content-type': metrics.contentType,
      'cache-control': 'no-store',
    }),
  );
}
