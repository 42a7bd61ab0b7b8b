import { toolKinds } from "../../../events/tools.ts";
import type { AcpAgentOptions, AcpMethod } from "../../../protocols/acp/index.ts";
import { firstText, isRecord, record, records, text, type JsonObject } from "../../../protocols/json.ts";
import type { EditApproval } from "../hooks/requests.ts";
import { signInHelp } from "../program.ts";
import { askQuestion, createPlan, generateImage, task, updateTodos } from "./extension-methods.ts";
import { isUnready, sameCall, toolOfCall } from "./tools.ts";

/** Cursor has three modes. In its `agent` mode it asks, and Reins decides about the answer. */
const agent = { id: "agent" };
const modes = { read: { id: "ask" }, plan: { id: "plan" }, ask: agent, edits: agent, full: agent };

/** Signs in with the existing key or account. */
const loginMethod = "cursor_login";

interface QuirkOptions {
  readonly signedIn?: () => Promise<boolean>;
  readonly approved?: (callId: string) => boolean;
  readonly edits?: Partial<Pick<EditApproval, "allowedIn">>;
}

export function quirksWith({ signedIn, approved, edits = {} }: QuirkOptions = {}): AcpAgentOptions {
  return {
    modes,
    tool: toolOfCall,
    unready: isUnready,
    sameCall,
    content: plainDiffs,
    undone,
    verdict: ({ callId, tool }, mode) => {
      const isApproved = callId !== undefined && approved?.(callId) === true;
      return isApproved || (toolKinds[tool] === "edit" && mode === edits.allowedIn) ? "allow" : undefined;
    },
    // Cursor's own "always" would write a rule for this one file into the user's settings.
    sent: (optionId, { tool }, mode) => {
      if (optionId !== "allow-always" || toolKinds[tool] !== "edit") return optionId;
      edits.allowedIn = mode;
      return "allow-once";
    },
    silentDenials: true,
    model: modelId,
    listModels: { method: "cursor/list_available_models", read: modelsListed },
    methods: ownMethods(),
    failure: ({ message, data }) => ({
      text: text(data) ?? text(record(data)["message"]) ?? text(record(data)["details"]) ?? message,
    }),
    authMethod: async (methods) => {
      const known = methods.some(({ id }) => id === loginMethod);
      return known && (await signedIn?.()) === true ? loginMethod : undefined;
    },
    signInHelp,
  };
}

/** Some versions start the names with an underscore, as ACP requires of extensions. */
function ownMethods(): Readonly<Record<string, AcpMethod>> {
  const named = { ask_question: askQuestion, create_plan: createPlan, generate_image: generateImage };
  const methods = Object.entries({ ...named, update_todos: updateTodos(), task });
  return Object.fromEntries(
    ["cursor/", "_cursor/"].flatMap((start) => methods.map(([name, how]) => [start + name, how])),
  );
}

/** Cursor reports a rejected call as completed. */
export const undone: NonNullable<AcpAgentOptions["undone"]> = ({ rejected, permissionDenied, error }) => {
  for (const denied of [rejected, permissionDenied]) {
    if (denied !== true && !isRecord(denied)) continue;
    const reason = isRecord(denied) ? firstText(denied["reason"], denied["error"]) : undefined;
    return { message: reason ?? "It was not allowed.", reason: "denied" };
  }
  const said = isRecord(error) ? firstText(error["message"], error["errorMessage"], error["error"]) : firstText(error);
  return said === undefined && !isRecord(error) ? undefined : { message: said ?? "It failed.", reason: "error" };
};

/** The header lines of a patch, whose first characters Cursor took for marks of removed and added lines. */
const [before, after] = [/^-- (?:a\/.*|\/dev\/null)(?:\n|$)/, /^\+\+ (?:b\/.*|\/dev\/null)(?:\n|$)/];

export function plainDiffs(items: readonly JsonObject[]): JsonObject[] {
  return items.map((item) => {
    const { type, oldText, newText } = item;
    if (type !== "diff" || typeof oldText !== "string" || typeof newText !== "string") return item;
    // Require the header line in both texts, because a file may itself begin with such a line.
    if (!before.test(oldText) || !after.test(newText)) return item;
    const old = oldText.startsWith("-- /dev/null") ? undefined : oldText.replace(before, "");
    return { ...item, oldText: old, newText: newText.replace(after, "") };
  });
}

type Listed = Readonly<Record<"id" | "label", string>>;

/** An id contains every parameter: `gpt-5.5[context=272k,reasoning=medium]`. */
interface Model {
  readonly id: string;
  readonly base: string;
  readonly parameters: ReadonlyMap<string, string>;
}

const auto = "default[]";

/**
 * The id of a model that a user names as `agent models` does: `gpt-5.5`, `gpt-5.5-high`, `auto`. Undefined unless
 * exactly one matches. `current` is the model that the session began with.
 */
export function modelId(wanted: string, listed: readonly Listed[], current: string | undefined): string | undefined {
  const ids = [...new Set([...(current === undefined ? [] : [current]), ...listed.map(({ id }) => id)])];
  if (ids.includes(wanted)) return wanted;
  if (/^(?:auto|default)$/i.test(wanted)) return ids.find((id) => id === auto);
  const models = ids.map(modelIn);
  return (
    models.find((model) => spellingsOf(wanted).some((spelling) => fits(model, spelling)))?.id ??
    listed.find(({ label }) => label.toLowerCase() === wanted.toLowerCase())?.id ??
    models.find(({ id, base }) => id === current && id !== auto && wanted.startsWith(`${base}-`))?.id
  );
}

/** The answer to `cursor/list_available_models`, whose format differs between releases. */
export function modelsListed(result: JsonObject): Listed[] {
  return records(result["models"] ?? result["availableModels"]).flatMap((model) => {
    const id = text(model["value"]) ?? text(model["modelId"]) ?? text(model["id"]);
    return id === undefined ? [] : [{ id, label: text(model["name"]) ?? text(record(model["model"])["name"]) ?? id }];
  });
}

function modelIn(id: string): Model {
  const [, base = id, inside = ""] = /^([^[]*)\[(.*)\]$/s.exec(id) ?? [];
  const pairs = inside.split(",").map((pair) => pair.split("="));
  return { id, base, parameters: new Map(pairs.map(([name = "", value = ""]) => [name.trim(), value.trim()])) };
}

type Wanted = readonly (readonly [names: readonly string[], value: string])[];
type Spelling = Pick<Model, "base"> & { readonly wants: Wanted };

const efforts: ReadonlySet<string> = new Set(["none", "minimal", "low", "medium", "high", "xhigh", "max"]);
const effortNames = ["effort", "reasoning", "reasoning_effort"];

/** The ways to read a name: unchanged, and with its last words as parameters. */
function spellingsOf(wanted: string): Spelling[] {
  const { base, parameters } = modelIn(wanted);
  let wants: Wanted = [...parameters].filter(([name]) => name !== "").map(([name, value]) => [[name], value]);
  const spellings: Spelling[] = [{ base, wants }];
  for (let rest = base; ;) {
    const [, shorter, word = ""] = /^(.+)-([a-z]+)$/.exec(rest) ?? [];
    const isFlag = word === "fast" || word === "thinking";
    if (shorter === undefined || (!isFlag && !efforts.has(word))) return spellings;
    wants = [...wants, isFlag ? [[word], "true"] : [effortNames, word]];
    rest = shorter;
    spellings.push({ base: rest, wants });
  }
}

function fits({ base, parameters }: Model, spelling: Spelling): boolean {
  if (base !== spelling.base) return false;
  return spelling.wants.every(([names, value]) => names.some((name) => parameters.get(name) === value));
}
