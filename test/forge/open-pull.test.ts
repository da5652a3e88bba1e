import { createServer } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { createAzureRepository } from '../../src/forge/azure-repository.ts';
import { createBitbucket } from '../../src/forge/bitbucket.ts';
import { connectForge } from '../../src/forge/connect-forge.ts';
import { createGithub } from '../../src/forge/github.ts';
import { createGitlab } from '../../src/forge/gitlab.ts';
import { listen } from '../given/loopback.ts';

interface Sent {
  readonly line: string;
  readonly body: unknown;
}

const base = 'a'.repeat(40);
const pull = {
  branch: 'rampart/1234',
  into: 'main',
  base,
  title: 'Move 2 hosts to Ünna',
  body: 'Why & how',
  files: [{ path: 'accounts/berlin/fleet.yaml', text: 'version: 1\n# ü & = +\n' }],
};
const [file] = pull.files;

/** Each forge according to its documentation: its responses, and the required requests. */
const forges = [
  {
    name: 'GitHub',
    create: createGithub,
    path: '',
    project: 'acme/fleet',
    secret: 'Bearer t',
    answers: {
      [`GET /repos/acme/fleet/git/commits/${base}`]: { tree: { sha: 'old-tree' } },
      'POST /repos/acme/fleet/git/trees': { sha: 'new-tree' },
      'POST /repos/acme/fleet/git/commits': { sha: 'new-commit' },
      'POST /repos/acme/fleet/git/refs': {},
      'POST /repos/acme/fleet/pulls': { number: 7, html_url: 'https://forge/7' },
    },
    bodies: [
      null,
      {
        base_tree: 'old-tree',
        tree: [{ path: file?.path, mode: '100644', type: 'blob', content: file?.text }],
      },
      { message: pull.title, tree: 'new-tree', parents: [base] },
      { ref: 'refs/heads/rampart/1234', sha: 'new-commit' },
      { title: pull.title, body: pull.body, head: pull.branch, base: 'main' },
    ],
  },
  {
    name: 'GitLab',
    create: createGitlab,
    path: '/api/v4',
    project: 'acme/fleet',
    secret: 't',
    answers: {
      'POST /api/v4/projects/acme%2Ffleet/repository/commits': { id: 'new-commit' },
      'POST /api/v4/projects/acme%2Ffleet/merge_requests': { iid: 7, web_url: 'https://forge/7' },
    },
    bodies: [
      {
        branch: pull.branch,
        start_sha: base,
        commit_message: pull.title,
        actions: [{ action: 'update', file_path: file?.path, content: file?.text }],
      },
      {
        source_branch: pull.branch,
        target_branch: 'main',
        title: pull.title,
        description: pull.body,
        remove_source_branch: true,
      },
    ],
  },
  {
    name: 'Azure DevOps',
    create: createAzureRepository,
    path: '/acme/it',
    project: 'fleet',
    secret: `Basic ${btoa(':t')}`,
    answers: {
      'POST /acme/it/_apis/git/repositories/fleet/pushes?api-version=7.0': { pushId: 1 },
      'POST /acme/it/_apis/git/repositories/fleet/pullrequests?api-version=7.0': { pullRequestId: 7 },
    },
    bodies: [
      {
        refUpdates: [{ name: 'refs/heads/rampart/1234', oldObjectId: base }],
        commits: [
          {
            comment: pull.title,
            changes: [
              {
                changeType: 'edit',
                item: { path: `/${file?.path}` },
                newContent: { content: file?.text, contentType: 'rawtext' },
              },
            ],
          },
        ],
      },
      {
        sourceRefName: 'refs/heads/rampart/1234',
        targetRefName: 'refs/heads/main',
        title: pull.title,
        description: pull.body,
      },
    ],
  },
  {
    name: 'Bitbucket',
    create: createBitbucket,
    path: '/2.0',
    project: 'acme/fleet',
    secret: 'Bearer t',
    answers: {
      'POST /2.0/repositories/acme/fleet/src': null,
      'POST /2.0/repositories/acme/fleet/pullrequests': {
        id: 7,
        links: { html: { href: 'https://forge/7' } },
      },
    },
    bodies: [
      { branch: pull.branch, parents: base, message: pull.title, [`/${file?.path}`]: file?.text },
      {
        title: pull.title,
        description: pull.body,
        source: { branch: { name: pull.branch } },
        destination: { branch: { name: 'main' } },
        close_source_branch: true,
      },
    ],
  },
] as const;

async function given({ create, path, project, answers, secret }: (typeof forges)[number], refuses = '') {
  const sent: Sent[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const line = `${request.method} ${request.url}`;
      const text = Buffer.concat(chunks).toString();
      const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded';
      const { authorization, 'private-token': token } = request.headers;
      if ((token ?? authorization) !== secret) return response.writeHead(401).end('{}');
      sent.push({
        line,
        body: text === '' ? null : isForm ? Object.fromEntries(new URLSearchParams(text)) : JSON.parse(text),
      });
      if (line === refuses) return response.writeHead(422).end('{"message":"Reference already exists"}');
      const answer = (answers as Readonly<Record<string, unknown>>)[line];
      if (answer === undefined) return response.writeHead(404).end('{}');
      response.writeHead(request.method === 'GET' ? 200 : 201, { 'content-type': 'application/json' });
      return response.end(answer === null ? '' : JSON.stringify(answer));
    });
  });
  const api = `http://127.0.0.1:${await listen(server)}${path}`;
  const clock = createVirtualClock(0, { auto: true });
  const connected = connectForge(create, { api, project, token: 't' }, { env: {}, clock });
  if (!connected.ok) throw new Error(connected.problems[0]?.message);
  onTestFinished(() => connected.value.close());
  return { forge: connected.value.forge, sent, api };
}

describe.each(forges)('a pull request at $name', (kind) => {
  it('has the files in one commit on a new branch of the base', async () => {
    const { forge, sent, api } = await given(kind);
    const page = kind.name === 'Azure DevOps' ? `${api}/_git/fleet/pullrequest/7` : 'https://forge/7';
    expect(await forge.openPull(pull)).toMatchObject({ ok: true, value: { number: 7, page } });
    expect(sent.map(({ line }) => line)).toEqual(Object.keys(kind.answers));
    expect(sent.map(({ body }) => body)).toEqual(kind.bodies);
  });

  it('is not opened if the branch exists', async () => {
    const lines = Object.keys(kind.answers);
    const { forge, sent } = await given(kind, lines.at(-2));
    expect(await forge.openPull(pull)).toMatchObject({ ok: false, problems: [{ code: 'bad-request' }] });
    expect(sent.map(({ line }) => line)).toEqual(lines.slice(0, -1));
  });
});
