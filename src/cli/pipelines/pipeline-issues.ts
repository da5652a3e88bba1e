import { problem } from '../../core/problem/problem.ts';
import { failed, ok, type Result } from '../../core/problem/result.ts';
import { createAzureWorkItems } from '../../forge/azure-work-items.ts';
import { createForgeClient, type ForgeClient } from '../../forge/forge-client.ts';
import { createGitlabIssues } from '../../forge/gitlab-issues.ts';
import type { Issues } from '../../forge/issues.ts';
import { createUndiciExchange } from '../../service/client/undici-exchange.ts';
import type { Context } from '../shell/context.ts';
import type { Environment } from '../shell/io.ts';

/** The issues of the project whose pipeline runs this command. */
export interface OpenedIssues {
  readonly issues: Issues;
  close(): Promise<void>;
}

export function openPipelineIssues(context: Context, key: string): Result<OpenedIssues> {
  const { io, redaction } = context;
  const place = placeOf(io.env);
  if (!place.ok) return place;
  const { url, secret, headers, issuesOf } = place.value;
  redaction.hide([secret]);
  const http = createUndiciExchange({ baseUrl: url, env: io.env });
  if (!http.ok) return http;
  const client = createForgeClient({ exchange: http.value.exchange, headers, clock: io.clock });
  return ok({ issues: issuesOf(client, key), close: () => http.value.close() });
}

interface IssuePlace {
  readonly url: string;
  readonly secret: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly issuesOf: (client: ForgeClient, key: string) => Issues;
}

function placeOf(env: Environment): Result<IssuePlace> {
  const isSet = (name: string) => (env[name] ?? '') !== '';
  if (isSet('GITLAB_CI')) return gitlab(env);
  if (isSet('TF_BUILD')) return azure(env);
  return failed(
    problem('configuration', 'this is not a pipeline of GitLab or Azure', {
      hint: isSet('GITHUB_ACTIONS')
        ? 'on GitHub, use the Action with "mode: drift" and "issue: update"'
        : 'run this in a pipeline, which sets GITLAB_CI or TF_BUILD, or leave out --issue',
    }),
  );
}

function gitlab({
  CI_API_V4_URL: url,
  CI_PROJECT_ID: project,
  RAMPART_GITLAB_TOKEN: secret = '',
}: Environment): Result<IssuePlace> {
  if (url === undefined || project === undefined) return unset('CI_API_V4_URL and CI_PROJECT_ID');
  if (secret === '') {
    return failed(
      problem('missing-credentials', 'RAMPART_GITLAB_TOKEN is not set', {
        hint: "create a project access token with the scope api: the job token can't write issues",
      }),
    );
  }
  const issuesOf = (client: ForgeClient, key: string) => createGitlabIssues({ client, project, key });
  return ok({ url, secret, headers: { 'private-token': secret }, issuesOf });
}

function azure({
  SYSTEM_COLLECTIONURI: url,
  SYSTEM_TEAMPROJECT: project,
  SYSTEM_ACCESSTOKEN: secret = '',
}: Environment): Result<IssuePlace> {
  if (url === undefined || project === undefined) return unset('SYSTEM_COLLECTIONURI and SYSTEM_TEAMPROJECT');
  if (secret === '') {
    return failed(
      problem('missing-credentials', 'SYSTEM_ACCESSTOKEN is not set', {
        hint: 'set it in the env of the step: SYSTEM_ACCESSTOKEN: $(System.AccessToken)',
      }),
    );
  }
  const issuesOf = (client: ForgeClient, key: string) => createAzureWorkItems({ client, project, key });
  return ok({ url, secret, headers: { authorization: `Bearer ${secret}` }, issuesOf });
}

function unset(names: string): Result<never> {
  return failed(
    problem('configuration', `this pipeline does not set ${names}`, {
      hint: 'run --issue in a job of a pipeline, or leave it out',
    }),
  );
}
