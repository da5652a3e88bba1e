import { describe, expect, it } from 'vitest';
import { serverApiPage } from '../../bin/docs/server-api-page.ts';
import { routes } from '../../src/doors/server/http/routes/index.ts';

const page = serverApiPage(routes);
const withBody = routes.flatMap(({ method, path, body }) =>
  body === undefined ? [] : [[`${method.toUpperCase()} ${path.slice('/api/v1'.length)}`, body] as const],
);

/** The rows of the table of members below the heading of an operation. */
const rowsOf = (operation: string) => {
  const section = page.split(`\n### \`${operation}\`\n`)[1]?.split('\n### ')[0] ?? '';
  const [, table = ''] = section.split('\nThe body:\n');
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
};

describe('the page of the server API', () => {
  it.each(withBody)(
    'gives each member of the body of %s with its type and its meaning',
    (operation, body) => {
      const { properties = {}, required = [] } = body.toJSONSchema({ io: 'input' });
      const rows = rowsOf(operation);
      const own = rows.filter(([name = '']) => !/[.[]/.test(name));
      expect(own.map(([name, , isRequired]) => [name, isRequired])).toEqual(
        Object.keys(properties).map((name) => [`\`${name}\``, required.includes(name) ? 'yes' : 'no']),
      );
      for (const [name = '', type = '', , meaning = ''] of rows) {
        expect(type, name).toMatch(/^(?:string|integer|list of|object of|time|`)/);
        expect(meaning, name).toMatch(/^[A-Z].{8,}\.$/);
      }
    },
  );

  it('gives the limits of members, and the members of objects in lists', () => {
    expect(rowsOf('POST /tokens')).toEqual([
      ['`name`', 'string, 1 to 100 characters', 'yes', 'What the token is for, as lists show it.'],
      ['`grants`', 'list of objects, 1 to 50 items', 'yes', 'What the token may do: at most what you may.'],
      ['`grants[].role`', expect.stringContaining('`viewer`, '), 'yes', 'The role for these accounts.'],
      ['`grants[].where`', 'string', 'no', expect.stringContaining('a CEL expression')],
      ['`expires_in_days`', 'integer, 1 to 366', 'yes', 'The days until the token expires.'],
    ]);
  });
});
