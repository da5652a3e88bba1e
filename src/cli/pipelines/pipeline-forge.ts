import { isPipelineOf } from '../../core/lib/pipeline-systems.ts';
import type { Environment } from '../../core/lib/surroundings.ts';
import { failed, ok, type Problem, problem, type Result } from '../../core/problem/problem.ts';
import { createAzure } from '../../forge/azure.ts';
import { type ConnectedForge, connectForge } from '../../forge/connect-forge.ts';
import type { CodeForge, Forge } from '../../forge/forge.ts';
import type { ForgePlace, ForgeTransport } from '../../forge/forge-client.ts';
import { createGitlab } from '../../forge/gitlab.ts';
import type { Context } from '../shell/context.ts';

/** The forge whose pipeline runs this command. */
export function openPipelineForge({ io, redaction }: Context): Result<ConnectedForge<Forge>> {
  const found = pipelineOf(io.env);
  if (!found.ok) return found;
  const { create, place } = found.value;
  redaction.hide([place.token]);
  return connectForge(create, place, io);
}

/** GitLab, with the repository of the desired state. */
export function openGitlab({ io, redaction }: Context): Result<ConnectedForge<CodeForge>> {
  const found = isPipelineOf('gitlab', io.env) ? gitlab(io.env) : failed(noGitlabPipeline);
  if (!found.ok) return found;
  redaction.hide([found.value.token]);
  return connectForge(createGitlab, found.value, io);
}

interface Pipeline {
  readonly create: (place: ForgePlace, transport: ForgeTransport) => Forge;
  readonly place: ForgePlace;
}

function pipelineOf(env: Environment): Result<Pipeline> {
  if (isPipelineOf('gitlab', env)) {
    const place = gitlab(env);
    return place.ok ? ok({ create: createGitlab, place: place.value }) : place;
  }
  if (isPipelineOf('azure', env)) return azure(env);
  return failed(noPipeline(env));
}

function noPipeline(env: Environment): Problem {
  return problem('configuration', 'this is not a GitLab or Azure pipeline', {
    hint: isPipelineOf('github', env)
      ? 'on GitHub, use the Action with "mode: drift" and "issue: update"'
      : 'run this in a pipeline, which sets GITLAB_CI or TF_BUILD, or leave out the flag',
  });
}

const noGitlabPipeline = problem('configuration', 'this is not a GitLab pipeline', {
  hint: 'run this in a GitLab pipeline, or leave out the flag',
});

function gitlab({
  CI_API_V4_URL: api,
  CI_PROJECT_ID: project,
  RAMPART_GITLAB_TOKEN: token = '',
}: Environment): Result<ForgePlace> {
  if (api === undefined || project === undefined) return unset('CI_API_V4_URL and CI_PROJECT_ID');
  return token === '' ? failed(noGitlabToken) : ok({ api, project, token });
}

export const noGitlabToken = problem('missing-credentials', 'RAMPART_GITLAB_TOKEN is not set', {
  hint: "create a project access token with the scope api: the job token can't write notes and issues",
});

function azure({
  SYSTEM_COLLECTIONURI: api,
  SYSTEM_TEAMPROJECT: project,
  SYSTEM_ACCESSTOKEN: token = '',
}: Environment): Result<Pipeline> {
  if (api === undefined || project === undefined) return unset('SYSTEM_COLLECTIONURI and SYSTEM_TEAMPROJECT');
  if (token === '') {
    return failed(
      problem('missing-credentials', 'SYSTEM_ACCESSTOKEN is not set', {
        hint: 'set it in the env of the step: SYSTEM_ACCESSTOKEN: $(System.AccessToken)',
      }),
    );
  }
  return ok({ create: createAzure, place: { api, project, token } });
}

function unset(names: string): Result<never> {
  return failed(
    problem('configuration', `this pipeline does not set ${names}`, {
      hint: 'run this in a job of a pipeline, or leave out the flag',
    }),
  );
}
