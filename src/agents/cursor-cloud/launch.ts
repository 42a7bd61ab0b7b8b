/** What a session is told, as the service wants to hear it, in both of its languages. */
import { readFile } from "node:fs/promises";
import { ReinsError } from "../../events/errors.ts";
import type { Mode } from "../../events/modes.ts";
import type { McpServer, OpenOptions, PromptInput } from "../contract.ts";
import { attachedPath, attachedSize, attachedTo } from "../shared/attachments.ts";
import type { Attached } from "../shared/attachments.ts";
import { imageSize } from "./image-size.ts";
import { variablesOf } from "./variables.ts";
import { who } from "./who.ts";

/** A prompt. */
export interface RunRequest {
  readonly v1: Readonly<Record<string, unknown>>;
  readonly v0: Readonly<Record<string, unknown>>;
}

/** The first one, with all that an agent is made from. */
export interface Launch extends RunRequest {
  /** The id that we chose. None with variables of its own: the service takes only one of the two. */
  readonly agentId: string | undefined;
}

export interface Wanted {
  readonly options: OpenOptions;
  readonly mode: Mode;
  readonly model: string | undefined;
  /** The address of the repository, where there is one. */
  readonly repository: string | undefined;
  readonly agentId: string | undefined;
}

const mostImages = 5;
const imageBytes = 15 * 1024 * 1024;
/** Nobody over there can read a file of this machine: all of it goes along, or nothing. */
const fileBytes = 256 * 1024;

export async function promptOf(input: PromptInput, { cwd }: OpenOptions, maxBytes: number): Promise<RunRequest> {
  for (const attachment of input.attachments ?? [])
    if (attachment.kind === "file") await refuseUnreadable(attachedPath(attachment.path, cwd));
  const attached = await attachedTo(input, cwd, maxBytes);
  refuseTooMany(attached);
  const text = [...attached.texts, input.text].filter((part) => part.trim() !== "").join("\n\n") || "Look at this.";
  const images = attached.images.map(({ data, mediaType }) => ({ data, mimeType: mediaType }));
  const legacy = attached.images.map(({ data }) => {
    const dimension = imageSize(Buffer.from(data, "base64"));
    return { data, ...(dimension !== undefined && { dimension }) };
  });
  return {
    v1: { prompt: { text, ...(images.length > 0 && { images }) } },
    v0: { prompt: { text, ...(legacy.length > 0 && { images: legacy }) } },
  };
}

/** A further prompt. A mode and a model are told each time: they may have changed. */
export function furtherRun(
  prompt: RunRequest,
  { options, mode, model }: Omit<Wanted, "repository" | "agentId">,
): RunRequest {
  const mcpServers = serversOf(options.mcpServers);
  return {
    v1: {
      ...prompt.v1,
      mode: modeOf(mode),
      ...(model !== undefined && { model: { id: model } }),
      ...(mcpServers.length > 0 && { mcpServers }),
    },
    v0: prompt.v0,
  };
}

export function launchOf(prompt: RunRequest, wanted: Wanted): Launch {
  const { options, model, repository: url, agentId } = wanted;
  const { ref, branch, pullRequest, createPr, asApp, noReviewer, name, webhook } = options.remote ?? {};
  const { sent: envVars } = variablesOf(options.env);
  const hasVariables = Object.keys(envVars).length > 0;
  const chosen = hasVariables ? undefined : agentId;
  const repo = { url, ...(ref !== undefined && { startingRef: ref }), ...(pullRequest && { prUrl: pullRequest }) };
  return {
    agentId: chosen,
    v1: {
      ...furtherRun(prompt, wanted).v1,
      ...(url !== undefined && { repos: [repo] }),
      ...(url !== undefined && branch !== undefined && branch === ref && { workOnCurrentBranch: true }),
      ...(createPr !== undefined && { autoCreatePR: createPr }),
      ...(asApp !== undefined && { openAsCursorGithubApp: asApp }),
      ...(noReviewer !== undefined && { skipReviewerRequest: noReviewer }),
      ...(name !== undefined && { name: name.slice(0, 100) }),
      ...(hasVariables && { envVars }),
      ...(chosen !== undefined && { agentId: chosen }),
    },
    v0: {
      ...prompt.v0,
      ...(model !== undefined && { model }),
      source: pullRequest === undefined ? { repository: url, ...(ref && { ref }) } : { prUrl: pullRequest },
      target: {
        ...(createPr !== undefined && { autoCreatePr: createPr }),
        ...(asApp !== undefined && { openAsCursorGithubApp: asApp }),
        ...(noReviewer !== undefined && { skipReviewerRequest: noReviewer }),
        ...(branch !== undefined && { branchName: branch }),
      },
      ...(webhook !== undefined && { webhook }),
    },
  };
}

/** What was asked for and this version of the API has no word for; one sentence each. */
export function unsaid(version: "v0" | "v1", { options, mode }: Pick<Wanted, "options" | "mode">): string[] {
  const { branch, ref } = options.remote ?? {};
  const named = branch !== undefined && branch !== ref;
  const { sent, kept } = variablesOf(options.env);
  const stays: readonly [boolean, string] = [
    kept.length > 0,
    `is not given ${kept.join(", ")}: that is for here alone`,
  ];
  const lost: readonly (readonly [boolean, string])[] =
    version === "v1"
      ? [[named, `names its branches itself; it does not push to ${branch}`], stays]
      : [
          [mode === "plan", "cannot only plan over its older API; it was not started"],
          [Object.keys(options.mcpServers ?? {}).length > 0, "takes no MCP servers over its older API"],
          [Object.keys(sent).length > 0, "takes no variables over its older API"],
          stays,
        ];
  return lost.filter(([is]) => is).map(([, what]) => `${who.name} ${what}.`);
}

const modeOf = (mode: Mode): "plan" | "agent" => (mode === "plan" ? "plan" : "agent");

function serversOf(servers: Readonly<Record<string, McpServer>> = {}): object[] {
  return Object.entries(servers).map(([name, server]) =>
    "command" in server ? { name, type: "stdio", ...server } : { name, ...server },
  );
}

function refuseTooMany({ images }: Attached): void {
  if (images.length > mostImages)
    throw invalid(`${who.name} takes ${mostImages} images at most, and here are ${images.length}.`);
  for (const { data } of images)
    if (Buffer.byteLength(data, "base64") > imageBytes) throw invalid(`${who.name} takes no image above 15 MB.`);
}

async function refuseUnreadable(path: string): Promise<void> {
  const size = await attachedSize(path);
  if (size > fileBytes)
    throw invalid(`${path} is too long to go along: it has ${size} bytes, and ${who.name} cannot read it here.`);
  if ((await readFile(path)).includes(0)) throw invalid(`${path} is no text, and ${who.name} cannot read it here.`);
}

const invalid = (message: string): ReinsError => new ReinsError("invalid_input", message, { agent: who.id });
