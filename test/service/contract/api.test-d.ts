import { expectTypeOf, test } from 'vitest';
import type { PathParameters, RequestBody, ResponseBody } from '../../../src/service/contract/api.ts';

test('ids are decimal texts in what is sent and in what is read', () => {
  expectTypeOf<PathParameters<'renameHost'>>().toEqualTypeOf<{ readonly 'host-id': string }>();
  expectTypeOf<RequestBody<'deleteHosts'>>().toEqualTypeOf<{ hostIds: string[] }>();
  expectTypeOf<ResponseBody<'listHosts'>['hosts'][number]['id']>().toEqualTypeOf<string>();
});

test('an action without a body sends null, and one without content answers null', () => {
  expectTypeOf<RequestBody<'listHosts'>>().toEqualTypeOf<null>();
  expectTypeOf<ResponseBody<'renameHost'>>().toEqualTypeOf<null>();
});

test('a name may be null, and unknown members are unknown', () => {
  expectTypeOf<ResponseBody<'listHosts'>['hosts'][number]['description']>().toEqualTypeOf<string | null>();
  expectTypeOf<ResponseBody<'listHosts'>['anything']>().toEqualTypeOf<unknown>();
});

test('a report answers with 201', () => {
  expectTypeOf<ResponseBody<'createSystemReport'>['token']>().toEqualTypeOf<string | null>();
});
