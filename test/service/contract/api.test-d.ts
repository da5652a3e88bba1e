import { expectTypeOf, test } from 'vitest';
import type { PathParameters, RequestBody, ResponseBody } from '../../../src/service/contract/api.ts';

test('ids are decimal texts in requests and responses', () => {
  expectTypeOf<PathParameters<'renameHost'>>().toEqualTypeOf<{ readonly 'host-id': string }>();
  expectTypeOf<RequestBody<'deleteHosts'>>().toEqualTypeOf<{ hostIds: string[] }>();
  expectTypeOf<ResponseBody<'listHosts'>['hosts'][number]['id']>().toEqualTypeOf<string>();
});

test('an action without a body sends null, and one without content returns null', () => {
  expectTypeOf<RequestBody<'listHosts'>>().toEqualTypeOf<null>();
  expectTypeOf<ResponseBody<'renameHost'>>().toEqualTypeOf<null>();
});

test('a name may be null, and unknown fields are unknown', () => {
  expectTypeOf<ResponseBody<'listHosts'>['hosts'][number]['description']>().toEqualTypeOf<string | null>();
  expectTypeOf<ResponseBody<'listHosts'>['anything']>().toEqualTypeOf<unknown>();
});

test('a report returns 201', () => {
  expectTypeOf<ResponseBody<'createSystemReport'>['token']>().toEqualTypeOf<string | null>();
});
