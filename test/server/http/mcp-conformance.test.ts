import { execFile } from 'node:child_process';
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

/** What the protocol leaves to each server, and Rampart does not offer: it has tools, and they answer with text alone. */
const notOffered = [
  'server-sse-polling',
  'server-sse-multiple-streams',
  'logging-set-level',
  'completion-complete',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
];
/** These call tools of the suite, which a server of Rampart does not have. */
const needsItsTools = ['tools-call-simple-text', 'tools-call-error', 'json-schema-2020-12'];

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

it('the server passes every scenario of the conformance suite for what it offers', async () => {
  const port = await listen(createServer(withToken(api.url)));
  const { code, text } = await runSuite(port, [...notOffered, ...needsItsTools]);
  expect(text).toMatch(/✓ (?:dns-rebinding-protection|tools-list): /);
  expect(code, text).toBe(0);
}, 120_000);

it('tools answer, fail and describe their input as the conformance suite demands', async () => {
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
  const { code, text } = await runSuite(port, [...notOffered, 'dns-rebinding-protection']);
  expect(code, text).toBe(0);
}, 120_000);
