import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { endpoint } from './endpoint.ts';
import { commonErrors } from './error-body.ts';

export const authenticationEndpoints = {
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
