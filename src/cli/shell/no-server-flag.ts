import type { Command } from 'commander';
import { type Problem, problem } from '../../core/problem/problem.ts';
import { commandLineOf, commandPath } from './command-path.ts';

/** What to use in place of --server, by command. */
const instead: Readonly<Record<string, string>> = {
  plan: 'a server plans by itself: list its plans with rampart server status --server, and review one with rampart show PLAN --server',
  apply: 'a server applies plans that were approved: approve one with rampart server approve PLAN --server',
  drift:
    'a server checks by itself: rampart server status --server shows the causes, and rampart hosts --server the hosts that drifted',
  explain: 'open the host in the console of the server',
  'rollout show': 'list the rollouts of the server with rampart rollout list --server',
  'runs export': 'show a run of the server with rampart runs show RUN --server --json',
};

const others =
  'these commands ask a server: server status, hosts, runs, runs show, rollout list, show, plan rehearse, undo, and the other commands of rampart server';

/** For a command that can't ask a server. */
export function noServerFlag(command: Command): Problem {
  return problem('usage', `${commandLineOf(command)} does not ask a Rampart server: it has no --server`, {
    hint: instead[commandPath(command)] ?? others,
  });
}
