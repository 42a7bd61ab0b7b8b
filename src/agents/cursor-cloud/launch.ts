import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import { publicAddress } from "../../workspace/remote.ts";
import type { McpServer, OpenOptions, PromptInput } from "../contract.ts";
import { attachedPath, attachedSize, attachedTo } from "../shared/program/attachments.ts";
import type { How, Started } from "./client.ts";
import { imageSize } from "./image-size.ts";
import { cloudError, who } from "./program.ts";
import { originOf, repositoryOfRequest } from "./repository.ts";
import type { Versions } from "./service.ts";
import type { CloudContext } from "./session.ts";
import { encodeState } from "./state.ts";

/** The body of a request in both versions of the API. Undefined fields are not sent. */
export interface RunRequest {
  readonly v1: Readonly<Record<string, unknown>>;
  readonly v0: Readonly<Record<string, unknown>>;
}

export interface Launch extends RunRequest {
  /** The id that Reins chose. Undefined with variables, because the service accepts only one of the two. */
  readonly agentId: string | undefined;
}

export interface Wanted {
  readonly options: OpenOptions;
  readonly mode: Mode;
  readonly model: string | undefined;
  readonly repository: string | undefined;
  readonly agentId: string | undefined;
}

const mostImages = 5;
const imageBytes = 15 * 1024 * 1024;
/** The agent cannot read files of this machine, so a file is sent whole or not at all. */
const fileBytes = 256 * 1024;
const shortestSecret = 32;

export async function promptOf(input: PromptInput, { cwd }: OpenOptions, maxBytes: number): Promise<RunRequest> {
  for (const attachment of input.attachments ?? [])
    if (attachment.kind === "file") await refuseUnreadable(attachedPath(attachment.path, cwd));
  const attached = await attachedTo(input, cwd, maxBytes);
  if (attached.images.length > mostImages)
    throw invalid(`${who.name} accepts at most ${mostImages} images, and the prompt has ${attached.images.length}.`);
  for (const { data } of attached.images)
    if (Buffer.byteLength(data, "base64") > imageBytes) throw invalid(`${who.name} accepts no image above 15 MB.`);
  const text = [...attached.texts, input.text].filter((part) => part.trim() !== "").join("\n\n") || "Look at this.";
  if (attached.images.length === 0) return { v1: { prompt: { text } }, v0: { prompt: { text } } };
  const images = attached.images.map(({ data, mediaType }) => ({ data, mimeType: mediaType }));
  const legacy = images.map(({ data }) => ({ data, dimension: imageSize(Buffer.from(data, "base64")) }));
  return { v1: { prompt: { text, images } }, v0: { prompt: { text, images: legacy } } };
}

async function refuseUnreadable(path: string): Promise<void> {
  const size = await attachedSize(path);
  if (size > fileBytes)
    throw invalid(`${path} is too long to send (${size} bytes), and ${who.name} cannot read it on this machine.`);
  if ((await readFile(path)).includes(0))
    throw invalid(`${path} is not a text file, and ${who.name} cannot read it on this machine.`);
}

/** A further prompt. It always names mode and model, because they may have changed. */
export function furtherRun(
  { v1, v0 }: RunRequest,
  { options, mode, model }: Pick<Wanted, "options" | "mode" | "model">,
): RunRequest {
  const native = mode === "plan" ? "plan" : "agent";
  const chosen = model === undefined ? undefined : { id: model };
  return { v1: { ...v1, mode: native, model: chosen, mcpServers: serversOf(options.mcpServers) }, v0 };
}

export function launchOf(prompt: RunRequest, wanted: Wanted): Launch {
  const { options, model, repository: url, agentId } = wanted;
  const { ref, branch, pullRequest, createPr, asApp, noReviewer, name, webhook } = options.remote ?? {};
  const { sent } = variablesOf(options.env);
  const hasVariables = Object.keys(sent).length > 0;
  const chosen = hasVariables ? undefined : agentId;
  const pullRequests = { openAsCursorGithubApp: asApp, skipReviewerRequest: noReviewer };
  const repos = url === undefined ? undefined : [{ url, startingRef: ref, prUrl: pullRequest || undefined }];
  return {
    agentId: chosen,
    v1: {
      ...furtherRun(prompt, wanted).v1,
      ...pullRequests,
      repos,
      workOnCurrentBranch: (repos !== undefined && branch !== undefined && branch === ref) || undefined,
      autoCreatePR: createPr,
      name: name?.slice(0, 100),
      envVars: hasVariables ? sent : undefined,
      agentId: chosen,
    },
    v0: {
      ...prompt.v0,
      model,
      source: pullRequest === undefined ? { repository: url, ref: ref || undefined } : { prUrl: pullRequest },
      target: { ...pullRequests, autoCreatePr: createPr, branchName: branch },
      webhook,
    },
  };
}

/** A sentence for each option that this version of the API cannot express. */
export function unsaid(version: "v0" | "v1", { options, mode }: Pick<Wanted, "options" | "mode">): string[] {
  const { branch, ref } = options.remote ?? {};
  const { sent, kept } = variablesOf(options.env);
  const isV0 = version === "v0";
  const lost: readonly (readonly [boolean, string])[] = [
    [!isV0 && branch !== undefined && branch !== ref, `names its branches itself; it does not push to ${branch}`],
    [isV0 && mode === "plan", "has no plan mode over its older API; no agent was started"],
    [isV0 && Object.keys(options.mcpServers ?? {}).length > 0, "does not accept MCP servers over its older API"],
    [isV0 && Object.keys(sent).length > 0, "does not accept variables over its older API"],
    [kept.length > 0, `does not get ${kept.join(", ")}: for this machine only`],
  ];
  return lost.filter(([is]) => is).map(([, what]) => `${who.name} ${what}.`);
}

function serversOf(servers: Readonly<Record<string, McpServer>> = {}): object[] | undefined {
  const all = Object.entries(servers).map(([name, server]) =>
    "command" in server ? { name, type: "stdio", ...server } : { name, ...server },
  );
  return all.length === 0 ? undefined : all;
}

export async function createAgentThere(
  context: CloudContext,
  request: RunRequest,
  wanted: Pick<Wanted, "options" | "mode" | "model">,
  how: How,
): Promise<Started> {
  const { versions, told, options } = context;
  const { model, mode } = wanted;
  const repository = await repositoryOf(context);
  // The id is chosen here, so that the agent can be found when the answer is lost.
  const agentId = `bc-${randomUUID()}`;
  const launch = launchOf(request, { ...wanted, repository, agentId });
  const { webhook, pullRequest } = options.remote ?? {};
  if (webhook !== undefined && webhook.secret.length < shortestSecret)
    throw invalid(`The secret of a webhook needs at least ${shortestSecret} characters.`);
  const state = launch.agentId === undefined || webhook !== undefined ? undefined : encodeState({ agentId });
  told.start({ model, mode, cwd: options.cwd, resumed: false, state });
  if (repository === undefined)
    told.push(notice("The folder has no remote repository, so the agent starts with an empty folder."));
  const start = async (version: "v0" | "v1"): Promise<Started> => {
    const client = version === "v0" ? versions.older : versions.of(agentId);
    if (version === "v0" && mode === "plan")
      throw cloudError("unsupported", `${who.name} has no plan mode over its older API.`);
    if (version === "v0" && repository === undefined && pullRequest === undefined)
      throw invalid("The older API needs a repository.", "Name one, or work in a cloned folder.");
    const made = await client.create(launch, how);
    for (const message of unsaid(version, wanted))
      told.push({ type: "notice", level: "warning", code: "divergence", message });
    return made;
  };
  // Only the older API has webhooks.
  const started = await (webhook === undefined ? versions.any((client) => start(client.version)) : start("v0"));
  const { agent, run } = started;
  const place = { agentId: agent.id, runId: run.id };
  const title = agent.name === undefined ? {} : { title: agent.name };
  told.push({ type: "session.updated", by: "agent", state: encodeState(place), ...title }, { place });
  if (agent.url !== undefined) told.push(notice(`The agent works at ${agent.url}`));
  return started;
}

async function repositoryOf({ context, options }: CloudContext): Promise<string | undefined> {
  const { repository: named, pullRequest } = options.remote ?? {};
  if (named === undefined) return repositoryOfRequest(pullRequest) ?? originOf(context, options.cwd);
  const address = publicAddress(named);
  if (address === undefined) throw invalid(`${named} is not the address of a repository that others can reach.`);
  return address;
}

const notice = (message: string) => ({ type: "notice", level: "info", code: "remote", message }) as const;

const invalid = (message: string, help?: string): ReinsError => cloudError("invalid_input", message, help);

/** Variables that configure Reins and Cursor here, including the key of the service and the secret of webhooks. */
const own = /^(?:REINS|CURSOR)_/i;

/** `sent` go to the agent's machine; `kept` are the names of those that stay here. */
export function variablesOf(env: Readonly<Record<string, string>> = {}) {
  const isKept = (name: string): boolean => own.test(name.trim());
  const sent = Object.fromEntries(Object.entries(env).filter(([name]) => !isKept(name)));
  return { sent, kept: Object.keys(env).filter(isKept) };
}

/** The id of a model. Throws `model_unknown`; when the list is unavailable, the service judges the name. */
export async function knownModel(versions: Versions, name: string): Promise<string> {
  const models = await versions.any((client) => client.models()).catch(() => undefined);
  if (models === undefined || models.length === 0) return name;
  const found = models.find(({ id, aliases = [] }) => id === name || aliases.includes(name));
  if (found !== undefined) return found.id;
  const some = models.slice(0, 8).map(({ id }) => id);
  const help = `It has ${some.join(", ")}${models.length > some.length ? ", and more" : ""}.`;
  throw cloudError("model_unknown", `${who.name} has no model ${name}.`, help);
}
