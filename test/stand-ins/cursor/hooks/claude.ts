/** Hooks written for Claude Code, which Cursor runs too: some of its events, under Claude Code's names. */
import { join } from "node:path";
import { fieldsOf, listOf, numberOf, textOf } from "../../agent-loop/index.ts";
import { readJson, readText } from "../files.ts";
import { userFolder } from "../places.ts";
import type { HookEvent } from "./events.ts";
import { matcherOf, type Hook } from "./hook.ts";

const events: Readonly<Record<string, HookEvent>> = {
  PreToolUse: "preToolUse",
  PostToolUse: "postToolUse",
  UserPromptSubmit: "beforeSubmitPrompt",
  Stop: "stop",
  SubagentStop: "subagentStop",
  SessionStart: "sessionStart",
  SessionEnd: "sessionEnd",
  PreCompact: "preCompact",
};

const tools: Readonly<Record<string, string>> = { Bash: "Shell", Edit: "Write" };

export function claudeHooks(cwd: string, trusted: boolean): Hook[] {
  const project = trusted ? ["settings.local.json", "settings.json"].map((name) => join(cwd, ".claude", name)) : [];
  return [...project, join(userFolder(), "..", ".claude", "settings.json")].flatMap((path) => hooksIn(path, cwd));
}

function hooksIn(path: string, cwd: string): Hook[] {
  if (readText(path) === undefined) return [];
  return Object.entries(fieldsOf(readJson(path)["hooks"])).flatMap(([name, groups]) => {
    const event = events[name];
    return event === undefined ? [] : listOf(groups).flatMap((group) => hooksOf(event, fieldsOf(group), cwd));
  });
}

function hooksOf(event: HookEvent, group: Readonly<Record<string, unknown>>, cwd: string): Hook[] {
  const translated = textOf(group["matcher"]).replaceAll(/\b(?:Bash|Edit)\b/g, (name) => tools[name] ?? name);
  return listOf(group["hooks"])
    .map(fieldsOf)
    .filter((hook) => textOf(hook["command"]) !== "")
    .map((hook) => ({
      event,
      command: textOf(hook["command"]),
      cwd,
      matcher: matcherOf(translated),
      timeoutMs: (numberOf(hook["timeout"]) || 60) * 1000,
      failClosed: false,
      loopLimit: undefined,
    }));
}
