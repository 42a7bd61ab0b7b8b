/** One tool call from its start to its end, the same for every tool. */
import { clipText } from "../../events/clip.ts";
import { isReinsError } from "../../events/errors.ts";
import { titleOf } from "../../events/titles.ts";
import { toolKinds } from "../../events/tools.ts";
import type { AgentEventOf } from "../../events/types.ts";
import { EndTurn, ToolProblem } from "../shared/endings.ts";
import type { ModelCall } from "./answer.ts";
import { askPerson, hold } from "./gate.ts";
import type { Call, Rule } from "./gate.ts";
import { shown } from "./places.ts";
import { TimeUp } from "./run-command.ts";
import { checkedInput, outputOf } from "./tools/definition.ts";
import type { Place, Running, ToolDefinition } from "./tools/definition.ts";
import type { Turn } from "./turn.ts";

/** What the model is told. */
export interface ToolResult {
  readonly text: string;
  readonly failed: boolean;
}

/** Throws only what ends the turn. */
export async function useTool(turn: Turn, offered: readonly ToolDefinition[], called: ModelCall): Promise<ToolResult> {
  const definition = turn.desk.tools.find(({ name }) => name === called.toolName);
  const call = callOf(turn, definition, called);
  const raw = turn.desk.options.raw === true ? { raw: called } : {};
  await turn.emit({ type: "tool.started", ...withoutServer(call), kind: toolKinds[call.tool], ...raw });
  const startedAt = performance.now();
  try {
    if (definition === undefined || !offered.includes(definition))
      throw notOffered(called.toolName, definition, offered);
    const { input, running } = await allowed(turn, definition, call);
    await turn.emit({ type: "turn.phase", phase: "tool" });
    const done = await definition.run(turn, input, running);
    const completed: AgentEventOf<"tool.completed"> = {
      type: "tool.completed",
      callId: call.callId,
      output: outputOf(done),
      durationMs: Math.round(performance.now() - startedAt),
    };
    if (done.exitCode !== undefined) completed.exitCode = done.exitCode;
    turn.close(completed);
    return { text: toldOf(done), failed: false };
  } catch (thrown) {
    const failure = failureOf(thrown, turn.signal);
    turn.close({ type: "tool.failed", callId: call.callId, ...failure });
    if (thrown instanceof EndTurn) throw thrown;
    const printed = thrown instanceof TimeUp ? `\n${thrown.output}` : "";
    return { text: failure.error.message + printed, failed: true };
  }
}

function callOf(turn: Turn, definition: ToolDefinition | undefined, { toolName, input }: ModelCall): Call {
  const tool = definition?.tool ?? "other";
  const call: Call = {
    callId: turn.newId("call"),
    tool,
    nativeName: toolName,
    title: titleFor(turn, definition, toolName, input),
    input,
  };
  return definition?.mcp === undefined ? call : { ...call, mcp: definition.mcp };
}

/** Only what waits for somebody names its server. */
function withoutServer({ mcp: _server, ...call }: Call): Omit<Call, "mcp"> {
  return call;
}

function titleFor(turn: Turn, definition: ToolDefinition | undefined, nativeName: string, input: unknown): string {
  const context = { cwd: turn.desk.options.cwd, nativeName };
  if (definition === undefined) return titleOf("other", {}, context);
  try {
    return titleOf(definition.tool, definition.about(checkedInput(definition, input)), context);
  } catch {
    return titleOf(definition.tool, {}, context);
  }
}

/** Goes through the gate; gives the input to run with, and where it may. */
async function allowed(
  turn: Turn,
  definition: ToolDefinition,
  call: Call,
): Promise<{ input: unknown; running: Running }> {
  const checked = checkedInput(definition, call.input);
  const places = (await definition.places?.(turn, checked)) ?? [];
  const held =
    places.length === 0 ? call : { ...call, locations: places.map(({ path }) => ({ path: shown(turn, path) })) };
  const rule = ruleFor(definition, checked, places);
  const verdict = await hold(turn, held, places, rule);
  const running = (allowedPlaces: readonly Place[]): Running => ({ callId: call.callId, allowedPlaces });
  if (verdict !== "ask") return { input: checked, running: running(verdict === "allowed" ? places : []) };
  await turn.emit({ type: "turn.phase", phase: "person" });
  const changed = await askPerson(turn, held, (await definition.inquiry?.(turn, checked)) ?? {}, rule);
  if (changed === undefined) return { input: checked, running: running(places) };
  const input = checkedInput(definition, changed);
  const title = titleFor(turn, definition, call.nativeName, changed);
  await turn.emit({ type: "tool.progress", callId: call.callId, input: changed, title });
  return { input, running: running((await definition.places?.(turn, input)) ?? []) };
}

/** Ordinary edits are alike; what is hidden, outside or anything else is allowed for itself. */
function ruleFor(definition: ToolDefinition, input: unknown, places: readonly Place[]): Rule {
  const own = definition.rule?.(input);
  if (own !== undefined) return own;
  const odd = places.filter((place) => !place.inside || place.hidden).map(({ real }) => real);
  if (odd.length > 0)
    return { key: [definition.tool, ...odd].join(" "), label: `${definition.name} ${odd.join(", ")}` };
  if (toolKinds[definition.tool] === "edit") return { key: "edit", label: "edits in the workspace" };
  return { key: definition.name, label: definition.name };
}

function toldOf({
  text,
  bytes,
  exitCode,
}: {
  text: string;
  bytes?: number | undefined;
  exitCode?: number | undefined;
}): string {
  const cut = bytes !== undefined && bytes > Buffer.byteLength(text) ? `\n(cut: there are ${bytes} bytes)` : "";
  const code = exitCode === undefined || exitCode === 0 ? "" : `\n(exit code ${exitCode})`;
  return text + cut + code;
}

/** A model may call what it was not offered, from memory or by invention. */
function notOffered(
  name: string,
  definition: ToolDefinition | undefined,
  offered: readonly ToolDefinition[],
): ToolProblem {
  if (definition !== undefined) return new ToolProblem(`The tool ${name} is not allowed here.`, "denied");
  const names = offered.map((tool) => tool.name).join(", ");
  return new ToolProblem(`There is no tool ${clipText(name, 100).text}; there are ${names}.`);
}

function failureOf(thrown: unknown, signal: AbortSignal): Pick<AgentEventOf<"tool.failed">, "error" | "reason"> {
  if (signal.aborted) return { error: { message: "The turn was cancelled." }, reason: "cancelled" };
  if (thrown instanceof EndTurn) return { error: { message: "It was not allowed." }, reason: "denied" };
  const error: { message: string; code?: string } = { message: messageOf(thrown) };
  const code = codeOf(thrown);
  if (code !== undefined) error.code = code;
  if (thrown instanceof TimeUp) return { error, reason: "timeout" };
  return { error, reason: thrown instanceof ToolProblem ? thrown.reason : "error" };
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof ToolProblem || isReinsError(thrown)) return thrown.code;
  const { code } = thrown as NodeJS.ErrnoException;
  return typeof code === "string" ? code : undefined;
}

function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
