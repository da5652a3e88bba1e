import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { answerOverHttp } from '../../../src/mcp/answer-over-http.ts';
import { toolFor } from '../../../src/mcp/tool.ts';
import { listen } from '../../given/loopback.ts';
import { givenApi } from './given-api.ts';

const api = givenApi();
const suite = join(
  import.meta.dirname,
  '../../../node_modules/@modelcontextprotocol/conformance/dist/index.js',
);

/** Scenarios of the suite that any server with tools must pass. */
const required = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection'];
/** These call tools of the suite, which a server of Rampart does not have: another server with the same code has them. */
const needsItsTools = ['tools-call-simple-text', 'tools-call-error', 'json-schema-2020-12'];
/** What the protocol leaves to each server, and why Rampart does not offer it. */
const notOffered: Readonly<Record<string, readonly string[]>> = {
  'an answer is one JSON document, so there is no stream to go on with': [
    'server-sse-polling',
    'server-sse-multiple-streams',
    'tools-call-with-progress',
  ],
  'the answers of tools are text, which holds names as data': [
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
  ],
  'logs are for the operator, not for whoever asks': ['logging-set-level', 'tools-call-with-logging'],
  'a tool asks nothing back, neither a model nor a person': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'a fleet is read by tools, under the role of the caller, and not as resources': [
    'resources-list',
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'there are no prompts, and so no arguments to complete': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'completion-complete',
  ],
};
const leftOut = Object.values(notOffered).flat();

it('each scenario of the conformance suite is passed, or is left out for a reason', () => {
  const listed = execFileSync(process.execPath, [suite, 'list', '--server'], { encoding: 'utf8' });
  const scenarios = [...listed.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name);
  expect(scenarios.toSorted()).toEqual([...required, ...needsItsTools, ...leftOut].toSorted());
});

/** Runs every scenario. The suite fails if another one fails than is expected, and if one of these passes. */
async function runSuite(port: number, expectedFailures: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'mcp-conformance-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const baseline = join(folder, 'baseline.yml');
  writeFileSync(baseline, `server:\n${expectedFailures.map((name) => `  - ${name}\n`).join('')}`);
  const url = `http://127.0.0.1:${port}/mcp`;
  const argv = [suite, 'server', '--url', url, '--suite', 'all', '--expected-failures', baseline];
  return new Promise<{ readonly code: number | null; readonly text: string }>((done) => {
    const child = execFile(process.execPath, argv, { cwd: folder }, (_error, out, err) =>
      done({ code: child.exitCode, text: (out + err).split('=== SUMMARY ===').at(-1) ?? '' }),
    );
  });
}

/** The suite sends no token. */
function withToken(target: string): RequestListener {
  return (given, answered) => {
    const { method, url = '' } = given;
    const headers = { ...given.headers, authorization: 'Bearer admin' };
    const forwarded = request(`${target}${url}`, { method, headers }, (response) => {
      answered.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answered);
    });
    given.pipe(forwarded);
  };
}

it('the server passes every scenario of the conformance suite for the features that it offers', async () => {
  const port = await listen(createServer(withToken(api.url)));
  const { code, text } = await runSuite(port, [...leftOut, ...needsItsTools]);
  for (const name of required) expect(text).toContain(`✓ ${name}: `);
  expect(code, text).toBe(0);
}, 120_000);

it('tools respond, fail and describe their input as the conformance suite requires', async () => {
  const address = z.object({ street: z.string(), city: z.string() }).partial().meta({ id: 'address' });
  const tools = [
    toolFor('test_simple_text', 'Answers.', z.object({}), async () => ({
      ok: true,
      value: 'text',
      problems: [],
    })),
    toolFor('test_error_handling', 'Fails.', z.object({}), async () => ({
      ok: false,
      problems: [{ code: 'usage', message: 'it fails' }],
    })),
    toolFor(
      'json_schema_2020_12_tool',
      'Has an input of several levels.',
      z.strictObject({ name: z.string(), address }).partial(),
      async () => ({ ok: true, value: null, problems: [] }),
    ),
  ];
  const answer = getRequestListener((asked) => answerOverHttp(asked, tools, { version: '1.0.0' }));
  const port = await listen(createServer((asked, answered) => void answer(asked, answered)));
  const { code, text } = await runSuite(port, [...leftOut, 'dns-rebinding-protection']);
  for (const name of needsItsTools) expect(text).toContain(`✓ ${name}: `);
  expect(code, text).toBe(0);
}, 120_000);
