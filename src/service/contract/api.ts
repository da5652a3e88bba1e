import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { antivirusEndpoints } from './antivirus.ts';
import { customFieldEndpoints } from './custom-fields.ts';
import { endpoint, type LazySchema } from './endpoint.ts';
import { commonErrors } from './error-body.ts';
import { hostEndpoints } from './hosts.ts';
import { inventoryEndpoints } from './inventory.ts';

const authenticationEndpoints = {
  checkAuthentication: endpoint({
    method: 'GET',
    path: '/public-api/v1/authentication',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'success is true if the credentials are valid',
        body: once(() => z.looseObject({ success: z.boolean() })),
      },
      ...commonErrors,
    },
    rateLimited: false,
    repetition: 'read',
    spec: 'section 4, authentication check',
    summary: 'Are the credentials valid?',
  }),
} as const;

/** The whole service as one table: nineteen endpoints and the authentication check. */
export const api = {
  ...authenticationEndpoints,
  ...hostEndpoints,
  ...inventoryEndpoints,
  ...customFieldEndpoints,
  ...antivirusEndpoints,
} as const;

export type Api = typeof api;
export type Action = keyof Api;

export const actions = Object.keys(api) as readonly Action[];

/** Values for the parameters in an action's path; integers as decimal strings. */
export type PathParameters<A extends Action> = {
  readonly [Name in keyof Api[A]['parameters']]: string;
};

/** The body that an action sends, with exact integers as decimal strings; `null` if there is none. */
export type RequestBody<A extends Action> =
  Api[A]['request'] extends LazySchema<z.ZodType<infer Output>> ? Output : null;

type SuccessStatus = 200 | 201 | 204;
type SuccessOf<R> = R extends Readonly<Record<number, unknown>> ? R[keyof R & SuccessStatus] : never;

/** The body of an action's success response; `null` for 204. */
export type ResponseBody<A extends Action> =
  SuccessOf<Api[A]['responses']> extends { readonly body: LazySchema<z.ZodType<infer Output>> }
    ? Output
    : null;
