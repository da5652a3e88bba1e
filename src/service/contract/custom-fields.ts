import { z } from 'zod';
import { once } from '../../core/lib/once.ts';
import { endpoint } from './endpoint.ts';
import { commonErrors, errorBody, rateLimitError } from './error-body.ts';
import { int64 } from './integer.ts';

export const customFieldCategory = once(() =>
  z.looseObject({
    id: z.string(),
    name: z.string(),
    values: z.array(z.looseObject({ id: z.string(), name: z.string() })),
  }),
);

const forbidden = { 403: { meaning: 'forbidden; shown for missing credentials', body: errorBody } } as const;

export const customFieldEndpoints = {
  listCustomFieldCategories: endpoint({
    method: 'GET',
    path: '/public-api/v1/hosts/custom-fields/categories',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'the categories, each with its values',
        body: once(() => z.looseObject({ metadataCategories: z.array(customFieldCategory()) })),
      },
      ...commonErrors,
      ...forbidden,
      ...rateLimitError,
    },
    rateLimited: true,
    repetition: 'read',
    spec: 'section 4, #15',
    summary: 'List the custom-field categories and their values.',
  }),
  listCustomFields: endpoint({
    method: 'GET',
    path: '/public-api/v1/hosts/custom-fields',
    parameters: {},
    request: null,
    responses: {
      200: {
        meaning: 'all custom-field values of all computers',
        body: once(() =>
          z.looseObject({
            hosts: z.array(
              z.looseObject({
                id: int64(),
                metadata: z.array(z.looseObject({ categoryId: z.string(), valueId: z.string() })),
              }),
            ),
          }),
        ),
      },
      ...commonErrors,
      ...forbidden,
      ...rateLimitError,
    },
    rateLimited: true,
    repetition: 'read',
    spec: 'section 4, #16',
    summary: 'List the custom-field values of all hosts.',
  }),
} as const;
