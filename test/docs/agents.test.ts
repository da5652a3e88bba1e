import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFleetAnswers } from '../../src/cli/asking/fleet-answers.ts';
import { createVirtualClock } from '../../src/core/lib/virtual-clock.ts';
import { fleetTools } from '../../src/mcp/fleet-tools.ts';
import { type AskingClient, serverTools } from '../../src/mcp/server-tools.ts';
import { createEmulator } from '../../src/service/emulator/emulator.ts';
import { fleetState } from '../../src/service/emulator/fleet-state.ts';
import { contextOn, conversation } from '../given/conversation.ts';
import { readFences } from './read-page.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/guides/agents.md'), 'utf8');
const fences = readFences(page);
const fenceOf = (language: string, text: string) =>
  fences.find((fence) => fence.language === language && fence.text.includes(text))?.text ?? '';

test('the worked example leads from the question to the patch on the page', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rampart-mcp-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'fleet.yaml'), fenceOf('yaml', 'version: 1').replace(/^# fleet.yaml\n/, ''));
  const clock = createVirtualClock(Date.parse('2026-11-21T09:00:00Z'), { auto: true });
  const state = fleetState({
    groups: [
      { id: '17', name: 'Berlin' },
      { id: '18', name: 'Lisbon' },
    ],
    hosts: [{ id: '200', name: 'LOBBY', groupId: '17' }],
  });
  const context = contextOn(createEmulator({ state, clock }), { folder, clock });
  const { call } = await conversation(fleetTools(createFleetAnswers(context, [])));
  expect(JSON.stringify(await call('explain_host', { host: 'LOBBY' }))).toContain('fleet.yaml');
  const proposed = await call('propose_change', JSON.parse(fenceOf('json', 'edits')));
  const { patch, plan, apply_with: command } = proposed?.answer ?? {};
  expect(page).toContain(`\`${plan.verdict}\``);
  expect(page).toContain(`\`${command}\``);
  expect(patch.trimEnd()).toBe(fenceOf('', '---').trimEnd());
  expect((await call('rehearse', { plan: plan.plan }))?.answer).toMatchObject({
    without_faults: { converged: true },
    with_faults: { converged: true },
  });
});

test('the page lists each tool', () => {
  const [, local = '', server = ''] = page.split(/^## (?:On your machine|On a Rampart server)$/m);
  const listed = (section: string) =>
    [...section.matchAll(/`([a-z]+(?:_[a-z]+)*)`/g)].map(([, name]) => name);
  const names = (tools: ReturnType<typeof fleetTools>) => tools.map(({ name }) => name);
  expect(listed(local)).toEqual(
    expect.arrayContaining(names(fleetTools({ openPullRequest: () => {} } as never))),
  );
  const asking = serverTools({} as AskingClient, createVirtualClock());
  expect(listed(server)).toEqual(expect.arrayContaining(names(asking)));
});
