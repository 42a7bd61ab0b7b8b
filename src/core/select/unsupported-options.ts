/** Options that an agent does not support or must not get. */
import type { Agent, PromptInput, ToolFilter } from "../../agents/contract.ts";
import type { SessionOptions } from "../api.ts";
import type { Forbidden } from "../log/types.ts";
import { ReinsError } from "../../events/errors.ts";
import { hasSecretName } from "../../events/redact/values.ts";
import { takesLocale } from "./locale.ts";

/** Options that this agent cannot honour, one sentence each. */
export function unsupportedOptions(agent: Agent, options: SessionOptions): readonly string[] {
  const can = agent.capabilities;
  const asked: readonly [boolean, string][] = [
    [
      options.systemPrompt !== undefined && !can.systemPrompt.includes(options.systemPrompt.how),
      `cannot ${options.systemPrompt?.how} a system prompt`,
    ],
    [options.locale !== undefined && !takesLocale(agent, options), "cannot be told which language to answer in"],
    // Disallowed tools become a rule for such an agent.
    [(options.tools?.allowed?.length ?? 0) > 0 && !can.toolFilter, "does not support a list of allowed tools"],
    [hasTools(options.tools?.first) && !can.firstPromptTools, "cannot filter its tools for the first prompt only"],
    [Object.keys(options.mcpServers ?? {}).length > 0 && !can.mcpServers, "does not support MCP servers"],
    [(options.directories?.length ?? 0) > 0 && !can.directories, "does not support additional directories"],
    [options.maxTurns !== undefined && !can.maxTurns, "cannot limit its number of turns"],
    // No remark when Reins itself enforces the limit.
    [
      options.maxBudgetUsd !== undefined && !can.budget && options.budget?.session?.usd === undefined,
      "cannot limit its cost",
    ],
    [options.fork === true && !can.fork, "cannot fork a session"],
    [(options.history?.length ?? 0) > 0 && !can.history, "does not accept earlier messages"],
    [options.remote !== undefined && can.elsewhere !== true, "works only in this folder"],
  ];
  return asked.filter(([diverges]) => diverges).map(([, what]) => `${agent.name} ${what}, so this option is ignored.`);
}

/** The part of a prompt that the agent accepts, and a sentence for each unsupported kind of attachment. Throws when nothing is left. */
export function supportedInput(
  { id, name, capabilities }: Agent,
  input: PromptInput,
): [PromptInput, readonly string[]] {
  const takes = { image: capabilities.images, file: capabilities.files };
  const { attachments = [] } = input;
  const refused = new Set(attachments.map(({ kind }) => kind).filter((kind) => !takes[kind]));
  if (refused.size === 0) return [input, []];
  const left = attachments.filter(({ kind }) => takes[kind]);
  if (left.length === 0 && input.text.trim() === "") {
    const what = [...refused].map((kind) => `${kind}s`).join(" or ");
    throw new ReinsError("unsupported", `${name} does not accept ${what}, and there is nothing else in the prompt.`, {
      agent: id,
      help: "Say in words what it should do, or use another agent.",
    });
  }
  return [
    { ...input, attachments: left },
    [...refused].map((kind) => `${name} does not accept ${kind}s, so they are left out.`),
  ];
}

function hasTools(filter: ToolFilter | undefined): boolean {
  return (filter?.allowed?.length ?? 0) + (filter?.disallowed?.length ?? 0) > 0;
}

export function restrictionsOf({ rules = [], tools }: Pick<SessionOptions, "rules" | "tools">): Forbidden | undefined {
  const narrow = rules.filter(({ decision }) => decision !== "allow");
  const disallowed = tools?.disallowed ?? [];
  return narrow.length + disallowed.length === 0 ? undefined : { rules: narrow, tools: disallowed };
}

/** Adds the stored restrictions first, so that the caller's allow rules do not outrank them. */
export function withForbidden(wanted: SessionOptions, forbidden: Forbidden | undefined): SessionOptions {
  if (forbidden === undefined) return wanted;
  const said = new Set((wanted.rules ?? []).map((rule) => JSON.stringify(rule)));
  const rules = [...forbidden.rules.filter((rule) => !said.has(JSON.stringify(rule))), ...(wanted.rules ?? [])];
  const disallowed = [...new Set([...forbidden.tools, ...(wanted.tools?.disallowed ?? [])])];
  return { ...wanted, rules, tools: { ...wanted.tools, disallowed } };
}

interface Given {
  readonly options: SessionOptions;
  readonly remarks: readonly string[];
}

/** Removes secret variables for a remote agent, except those that the caller names explicitly. */
export function stripSecrets(
  called: SessionOptions,
  options: SessionOptions,
  { name, capabilities }: Pick<Agent, "name" | "capabilities">,
): Given {
  const given = Object.entries(options.env ?? {});
  const stays = (variable: string): boolean => hasSecretName(variable) && called.env?.[variable] === undefined;
  const kept = given.flatMap(([variable]) => (stays(variable) ? [variable] : []));
  if (capabilities.elsewhere !== true || kept.length === 0) return { options, remarks: [] };
  return {
    options: { ...options, env: Object.fromEntries(given.filter(([variable]) => !stays(variable))) },
    remarks: [`${name} works elsewhere and is not given ${kept.join(", ")}: no call names it for ${name}.`],
  };
}
