import { failed, ok, problem, type Result } from '../../core/problem/problem.ts';
import { type Action, api } from '../contract/api.ts';
import type { Endpoint } from '../contract/endpoint.ts';
import type { RequestMessage } from '../contract/message.ts';
import { type Aliases, pathTemplate } from './aliases.ts';

export interface RequestInput {
  readonly path: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** An action's call as a message: path, the headers of specification section 5, and the body with exact integers. */
export function writeRequest(
  action: Action,
  input: RequestInput,
  options: { readonly authorization: string; readonly aliases: Aliases },
): Result<RequestMessage> {
  const endpoint: Endpoint = api[action];
  const path = writePath(action, endpoint, input.path, options.aliases);
  if (!path.ok) return path;
  const body = writeBody(action, endpoint, input.body);
  if (!body.ok) return body;
  return ok({
    method: endpoint.method,
    path: path.value,
    headers: {
      accept: 'application/JSON',
      ...(endpoint.method === 'GET' ? {} : { 'content-type': 'application/JSON; charset=utf-8' }),
      authorization: options.authorization,
    },
    body: body.value,
  });
}

function writePath(
  action: Action,
  endpoint: Endpoint,
  values: Readonly<Record<string, string>>,
  aliases: Aliases,
): Result<string> {
  let path = pathTemplate(action, aliases);
  for (const [name, schema] of Object.entries(endpoint.parameters)) {
    const value = values[name];
    if (value === undefined || !schema().safeParse(value).success || !isPathSegment(value)) {
      return failed(problem('invalid-value', `${action} can't be called: its ${name} is not valid`));
    }
    path = path.replace(`{${name}}`, () => encodeURIComponent(value));
  }
  return ok(path);
}

/** A segment of dots would change the path, and a lone surrogate can't be encoded. */
function isPathSegment(value: string): boolean {
  return value !== '.' && value !== '..' && value.isWellFormed();
}

function writeBody(action: Action, endpoint: Endpoint, body: unknown): Result<string | null> {
  if (endpoint.request === null) return ok(null);
  const encoded = endpoint.request().safeEncode(body);
  if (encoded.success) return ok(JSON.stringify(encoded.data));
  const at = encoded.error.issues[0]?.path.join('.') ?? '';
  return failed(problem('invalid-value', `${action} can't be called: ${at || 'the body'} is not valid`));
}
