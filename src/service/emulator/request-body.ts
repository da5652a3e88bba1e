import { z } from 'zod';

const int64 = z
  .bigint()
  .min(-(2n ** 63n))
  .max(2n ** 63n - 1n)
  .transform(String);

const hostIds = z.object({ hostIds: z.array(int64) });
const targets = z.object({ targetHostIds: z.array(int64) });
const report = z.object({ hostIds: z.array(int64), fields: z.array(z.string()).nullish() });

/**
 * The schema of each action's request body. The contract's own schemas also accept quoted ids, because the exact reader
 * quotes them; the service accepts only JSON numbers.
 */
export const requestBodies = {
  renameHost: z.object({ newDescription: z.string() }),
  moveHosts: hostIds,
  connectHost: z.object({ directLink: z.boolean(), failWhenRaSessionInProgress: z.boolean() }),
  deleteHosts: hostIds,
  createHardwareReport: report,
  createSystemReport: report,
  refreshAntivirusStatus: targets,
  installAntivirus: targets,
} as const;

/**
 * JSON with every integer as a bigint; a byte-order mark may precede it (RFC 8259, section 8.1). Throws a SyntaxError.
 */
export function parseBody(text: string): unknown {
  return JSON.parse(text.replace(/^\uFEFF/, ''), exactNumber as (key: string, value: unknown) => unknown);
}

function exactNumber(_key: string, value: unknown, context: { readonly source?: string }): unknown {
  return typeof value === 'number' && /^-?\d+$/.test(context.source ?? '')
    ? BigInt(context.source as string)
    : value;
}
