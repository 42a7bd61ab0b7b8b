/** A tool call: hooks before it, the permission, the tool itself, hooks after it. */
import { randomBytes } from "node:crypto";
import { resolve } from "node:path";
import { fieldsOf, textOf, type Fields, type LoopCall, type ToolResult } from "../agent-loop/index.ts";
import type { UseOutcome, Use } from "./channel.ts";
import { readText } from "./files.ts";
import { ruling, wantedBy } from "./permissions.ts";
import type { Seat } from "./seat.ts";
import { changedInput, hookInput, hookName } from "./tool-names.ts";

type Run = (input?: LoopCall["input"]) => Promise<ToolResult>;

export async function useTool(
  seat: Seat,
  given: LoopCall,
  run: Run,
  { modelCallId, nested }: Pick<Use, "modelCallId" | "nested">,
): Promise<ToolResult> {
  const { channel, hooks, cwd } = seat;
  const id = `${given.id}\nfc_${randomBytes(12).toString("hex")}`;
  const use: Use = { id, call: given, modelCallId, nested, startedAt: Date.now() };
  const about = hookName(given);
  const common = { tool_name: about, tool_input: hookInput(given, cwd), tool_use_id: id, cwd };
  const asks = given.name === "ask_question" || given.name === "create_plan";
  if (!nested) channel.started(use);
  const before = await hooks.fire("preToolUse", about, { ...common, agent_message: seat.lastSaid });
  const changed = before.outputs.find(({ updated_input: input }) => input !== undefined)?.["updated_input"];
  const call = changed === undefined ? given : { ...given, input: changedInput(given, fieldsOf(changed)) };
  const meant: Use = { ...use, call };
  const outcome = before.permission === "deny" ? blocked(before.message) : await outcomeOf(seat, meant, run);
  if (!nested && (!asks || outcome.kind === "blocked")) await channel.finished(meant, outcome);
  return after(seat, meant, outcome, common);
}

const blocked = (message: string): UseOutcome => ({
  kind: "blocked",
  message: `Hook blocked with message: ${message}`,
});

async function outcomeOf(seat: Seat, use: Use, run: Run): Promise<UseOutcome> {
  const { channel, cwd } = seat;
  const { name, input } = use.call;
  if (name === "ask_question") return channel.question(use);
  if (name === "create_plan") return channel.plan(use);
  const hook = await specificHook(seat, use);
  if (hook.permission === "deny") return blocked(hook.message);
  const wanted = wantedBy(use.call, cwd);
  const rule = wanted === undefined ? "allow" : ruling(wanted, seat.rules());
  if (rule === "deny") return { kind: "rejected", reason: "" };
  const runs = hook.permission !== "ask" && (seat.force || rule === "allow" || !seat.asksAbout(name));
  if (!(runs && !seat.alwaysAsksAbout(name)) && !(await channel.approves(use)))
    return { kind: "rejected", reason: name === "run_terminal_cmd" ? "" : "User Rejected" };
  if (!use.nested) channel.running(use);
  const started = Date.now();
  const result = await run(input);
  await afterwards(seat, use, result, Date.now() - started);
  return { kind: "done", result };
}

function specificHook({ hooks, cwd, chat, model }: Seat, { call, id }: Use) {
  const { name, input } = call;
  switch (name) {
    case "run_terminal_cmd":
      return hooks.fire("beforeShellExecution", textOf(input["command"]), {
        command: textOf(input["command"]),
        cwd,
        sandbox: false,
      });
    case "call_mcp_tool":
      return hooks.fire("beforeMCPExecution", hookName(call), {
        tool_name: textOf(input["tool"]),
        tool_input: JSON.stringify(input["arguments"] ?? {}),
        command: textOf(input["server"]),
      });
    case "read_file": {
      const path = resolve(cwd, textOf(input["path"]));
      return hooks.fire("beforeReadFile", "Read", { file_path: path, content: readText(path) ?? "", attachments: [] });
    }
    case "task":
      return hooks.fire("subagentStart", "generalPurpose", {
        subagent_id: id,
        subagent_type: "generalPurpose",
        task: input["prompt"],
        parent_conversation_id: chat.id,
        tool_call_id: id,
        subagent_model: model.slug,
        is_parallel_worker: false,
      });
    default:
      return Promise.resolve({ permission: undefined, message: "", outputs: [] });
  }
}

async function afterwards({ hooks }: Seat, { call }: Use, result: ToolResult, duration: number): Promise<void> {
  const { name, input } = call;
  const facts = fieldsOf(result.facts);
  if (name === "run_terminal_cmd") {
    const command = textOf(input["command"]);
    await hooks.fire("afterShellExecution", command, {
      command,
      output: facts["output"] ?? "",
      duration,
      sandbox: false,
    });
  } else if (name === "call_mcp_tool") {
    const told = {
      tool_input: JSON.stringify(input["arguments"] ?? {}),
      result_json: JSON.stringify(facts["content"]),
    };
    await hooks.fire("afterMCPExecution", hookName(call), { tool_name: textOf(input["tool"]), ...told, duration });
  } else if ((name === "write_file" || name === "edit_file") && result.ok) {
    const edits = [
      { old_string: input["old"] ?? facts["before"] ?? "", new_string: input["new"] ?? input["text"] ?? "" },
    ];
    await hooks.fire("afterFileEdit", "Write", { file_path: facts["path"], edits });
  } else if (name === "task" && input["background"] !== true) {
    await hooks.fire("subagentStop", "generalPurpose", {
      subagent_type: "generalPurpose",
      status: result.ok ? "completed" : "error",
      task: input["prompt"],
      description: input["description"],
      summary: result.text,
      duration_ms: duration,
      message_count: 2,
      tool_call_count: 0,
      loop_count: 0,
      modified_files: [],
      agent_transcript_path: null,
    });
  }
}

/** Returns the text for the model after the hooks that follow every call. */
async function after(
  { hooks }: Seat,
  use: Use,
  outcome: UseOutcome,
  common: Fields & { tool_name: string },
): Promise<ToolResult> {
  const duration = Date.now() - use.startedAt;
  const told = { ...common, tool_input: hookInput(use.call, textOf(common["cwd"])), duration };
  const result: ToolResult = outcome.kind === "done" ? outcome.result : { ok: false, text: refusalOf(outcome) };
  if (!result.ok) {
    const failure_type = outcome.kind === "done" ? "error" : "permission_denied";
    const failed = { ...told, error_message: result.text, failure_type, is_interrupt: false };
    await hooks.fire("postToolUseFailure", common.tool_name, failed);
    return result;
  }
  const tool_output = JSON.stringify(fieldsOf(result.facts));
  const { outputs } = await hooks.fire("postToolUse", common.tool_name, { ...told, tool_output });
  const further = outputs.map((output) => textOf(output["additional_context"])).filter((text) => text !== "");
  return further.length === 0 ? result : { ...result, text: [result.text, ...further].join("\n\n") };
}

const refusalOf = (outcome: Exclude<UseOutcome, { kind: "done" }>): string =>
  outcome.kind === "blocked" ? outcome.message : `The user rejected this. ${outcome.reason}`.trim();
