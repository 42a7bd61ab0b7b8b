/** An agent is made there, with its first prompt. */
import { randomUUID } from "node:crypto";
import { ReinsError } from "../../events/errors.ts";
import type { How, Started } from "./client.ts";
import { launchOf, unsaid } from "./launch.ts";
import type { RunRequest, Wanted } from "./launch.ts";
import { originOf, publicAddress, repositoryOfRequest } from "./repository.ts";
import type { CloudDesk } from "./session.ts";
import { encodeState } from "./state.ts";
import { who } from "./who.ts";

const shortestSecret = 32;

export async function createAgentThere(
  desk: CloudDesk,
  request: RunRequest,
  wanted: Pick<Wanted, "options" | "mode" | "model">,
  how: How,
): Promise<Started> {
  const { versions, told, options } = desk;
  const repository = await repositoryOf(desk);
  // Known before it is made: what was sent can be found again, whatever becomes of the answer.
  const agentId = `bc-${randomUUID()}`;
  const launch = launchOf(request, { ...wanted, repository, agentId });
  const { webhook } = options.remote ?? {};
  if (webhook !== undefined && webhook.secret.length < shortestSecret)
    throw invalid(`The secret of a webhook needs ${shortestSecret} characters.`);
  const state = launch.agentId === undefined || webhook !== undefined ? undefined : encodeState({ agentId });
  const { model, mode } = wanted;
  told.start({ model, mode, cwd: options.cwd, resumed: false, state });
  if (repository === undefined)
    told.push(notice("The folder was not cloned from anywhere: the agent begins with an empty one."));
  // Only the older API calls back.
  const started = await (webhook === undefined ? versions.any((client) => start(client.version)) : start("v0"));

  async function start(version: "v0" | "v1"): Promise<Started> {
    const client = version === "v0" ? versions.older : versions.of(agentId);
    if (version === "v0" && wanted.mode === "plan")
      throw new ReinsError("unsupported", `${who.name} cannot only plan over its older API.`, { agent: who.id });
    if (version === "v0" && repository === undefined && options.remote?.pullRequest === undefined)
      throw invalid("The older API needs a repository.", "Name one, or work in a folder that was cloned.");
    const made = await client.create(launch, how);
    for (const message of unsaid(version, wanted))
      told.push({ type: "notice", level: "warning", code: "divergence", message });
    return made;
  }

  const { agent, run } = started;
  const place = { agentId: agent.id, runId: run.id };
  const title = agent.name === undefined ? {} : { title: agent.name };
  told.push({ type: "session.updated", by: "agent", state: encodeState(place), ...title }, { place });
  if (agent.url !== undefined) told.push(notice(`It works at ${agent.url}`));
  return started;
}

async function repositoryOf({ context, options }: CloudDesk): Promise<string | undefined> {
  const { repository: named, pullRequest } = options.remote ?? {};
  if (named === undefined) return repositoryOfRequest(pullRequest) ?? originOf(context, options.cwd);
  const address = publicAddress(named);
  if (address === undefined) throw invalid(`${named} is not the address of a repository that others can reach.`);
  return address;
}

const notice = (message: string) => ({ type: "notice", level: "info", code: "remote", message }) as const;

const invalid = (message: string, help?: string): ReinsError =>
  new ReinsError("invalid_input", message, { agent: who.id, help });
