import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { endpoint, type LazySchema } from './endpoint.ts';
import { commonErrors, errorBody, rateLimitError } from './error-body.ts';
import { int64 } from './integer.ts';

/**
 * A report token; null if none is valid. `expires` is the time when a new one can be made (written like `2018-11-05
 * 11:35:43Z`); null means immediately.
 */
export const reportToken = once(() =>
  z.looseObject({ token: z.string().nullable(), expires: z.string().nullable() }),
);

const reportRequest = once(() =>
  z.object({ hostIds: z.array(int64()), fields: z.array(z.string()).optional() }),
);

export interface ReportFamily<Name extends 'hardware' | 'system', Host extends z.ZodType> {
  readonly name: Name;
  readonly host: LazySchema<Host>;
  /** The spec's numbers of the endpoints for fields, create, token and data. */
  readonly numbers: readonly [number, number, number, number];
  /** Only reading the hardware token is in the spec's list of limited actions. */
  readonly tokenIsRateLimited: boolean;
}

/** The four actions that both inventories share (specification section 4, #7 to #14). */
export function reportEndpoints<Name extends 'hardware' | 'system', Host extends z.ZodType>(
  family: ReportFamily<Name, Host>,
) {
  const base = `/public-api/v1/inventory/${family.name}` as const;
  const [fields, create, token, data] = family.numbers;
  return {
    fields: endpoint({
      method: 'GET',
      path: `${base}/fields`,
      parameters: {},
      request: null,
      responses: {
        200: { meaning: 'the names of the fields', body: once(() => z.array(z.string())) },
        ...commonErrors,
      },
      rateLimited: false,
      repetition: 'read',
      spec: `section 4, #${fields}`,
      summary: `List the ${family.name} inventory's field names.`,
    }),
    createReport: endpoint({
      method: 'POST',
      path: `${base}/reports`,
      parameters: {},
      request: reportRequest,
      responses: {
        201: { meaning: 'a report was made', body: reportToken },
        ...commonErrors,
        429: { meaning: 'the previous token has not expired', body: errorBody },
      },
      rateLimited: true,
      repetition: 'never',
      spec: `section 4, #${create}`,
      summary: `Make a ${family.name} report for some hosts.`,
    }),
    readToken: endpoint({
      method: 'GET',
      path: `${base}/reports`,
      parameters: {},
      request: null,
      responses: {
        200: { meaning: "the profile's token, if it has a valid one", body: reportToken },
        ...commonErrors,
        ...(family.tokenIsRateLimited ? rateLimitError : {}),
      },
      rateLimited: family.tokenIsRateLimited,
      repetition: 'read',
      spec: `section 4, #${token}`,
      summary: `Read the profile's ${family.name} report token.`,
    }),
    readReport: endpoint({
      method: 'GET',
      path: `${base}/reports/{report-token}`,
      parameters: { 'report-token': once(() => z.string().min(1)) },
      request: null,
      responses: {
        200: {
          meaning: 'the next hosts; report.token is null when these were the last',
          body: once(() =>
            z.looseObject({ report: reportToken(), hosts: z.record(z.string(), family.host()) }),
          ),
        },
        ...commonErrors,
        404: { meaning: 'the token is unknown, expired or exhausted', body: errorBody },
      },
      rateLimited: false,
      repetition: 'never',
      spec: `section 4, #${data}`,
      summary: `Read the next part of a ${family.name} report. Each part can be read once.`,
    }),
  } as const;
}
