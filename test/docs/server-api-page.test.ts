import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { viewerSections } from '../../bin/docs/server-api-page.ts';
import { namedShapes } from '../../src/api/resource.ts';
import { routes } from '../../src/server/start/routes.ts';

const sections = viewerSections(routes).flatMap(({ parts }) => parts);
const withBody = routes.flatMap(({ method, path, body }) =>
  body === undefined ? [] : [[`${method.toUpperCase()} ${path.slice('/api/v1'.length)}`, body] as const],
);

const withAnswer = routes.map(
  (route) => [`${route.method.toUpperCase()} ${route.path.slice('/api/v1'.length)}`, route] as const,
);
const answered = Object.entries(z.toJSONSchema(namedShapes, { io: 'input' }).schemas).filter(
  ([name, schema]) => sections.some(({ title }) => title === name) && schema.type === 'object',
);

const sectionOf = (title: string) => `\n${sections.find((each) => each.title === title)?.details ?? ''}\n`;

/** The rows of the table of members of the body below the heading of an operation. */
const rowsOf = (operation: string) =>
  rowsIn(sectionOf(operation).split('\nThe body:\n')[1]?.split('\nThe response:\n')[0]);

function rowsIn(table = '') {
  return table
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
}

describe('the viewer of the server API', () => {
  it.each(withBody)(
    'describes each field of the body of %s with its type and its meaning',
    (operation, body) => {
      const { properties = {}, required = [] } = body.toJSONSchema({ io: 'input' });
      const rows = rowsOf(operation);
      const own = rows.filter(([name = '']) => !/[.[]/.test(name));
      expect(own.map(([name, , isRequired]) => [name, isRequired])).toEqual(
        Object.keys(properties).map((name) => [`\`${name}\``, required.includes(name) ? 'yes' : 'no']),
      );
      for (const [name = '', type = '', , meaning = ''] of rows) {
        expect(type, name).toMatch(/^(?:string|integer|list of|object|time|`)/);
        expect(meaning, name).toMatch(/^[A-Z].{8,}\.$/);
      }
    },
  );

  it('shows the limits of fields, and the fields of objects in lists', () => {
    expect(rowsOf('POST /tokens')).toEqual([
      ['`name`', 'string, 1 to 100 characters', 'yes', 'What the token is for, as lists show it.'],
      ['`grants`', 'list of objects, 1 to 50 items', 'yes', 'What the token may do: at most what you may.'],
      ['`grants[].role`', expect.stringContaining('`viewer`, '), 'yes', 'The role for these accounts.'],
      ['`grants[].where`', 'string', 'no', expect.stringContaining('a CEL expression')],
      ['`expires_in_days`', 'integer, 1 to 366', 'yes', 'The days until the token expires.'],
    ]);
  });

  it.each(withAnswer)('says what %s answers', (operation, route) => {
    const [, words = ''] = /Returns \d+(.*?)\.(?: Takes|\n)/.exec(sectionOf(operation)) ?? [];
    const own = rowsIn(sectionOf(operation).split('\nThe response:\n')[1]);
    if (route.answer === null) expect(words).toBe(' without a body');
    else expect(own.length > 0 || /^ with .*\]\(#\w+\)/.test(words), words).toBe(true);
  });

  it.each(answered)(
    'describes each field of the shape %s, and whether it is always present',
    (name, schema) => {
      const { properties = {}, required = [] } = schema;
      const rows = rowsIn(sectionOf(name)).filter(([member = '']) => !/[.[]/.test(member));
      expect(rows.map(([member, , isThere]) => [member, isThere])).toEqual(
        Object.keys(properties).map((member) => [`\`${member}\``, required.includes(member) ? 'yes' : 'no']),
      );
      for (const [member, type] of rows) expect(type, member).not.toBe('');
    },
  );

  it('shows shapes, values and nullable fields, and the fields of unnamed objects and lists', () => {
    const rows = new Map(rowsIn(sectionOf('AccountDetail')).map(([member, type]) => [member, type]));
    expect(rows.get('`mode`')).toBe('`observe`, `propose`, `correct`');
    expect(rows.get('`since`')).toBe('time (RFC 3339) or null');
    expect(rows.get('`failure`')).toBe('[`Failure`](#failure) or null');
    expect(rows.get('`causes`')).toBe('list of [`Cause`](#cause)');
    expect(rows.get('`labels`')).toBe('object of strings');
    expect(rows.get('`plan.checksum`')).toBe('string');
    expect(rows.get('`windows[].is_open`')).toBe('boolean');
  });
});
