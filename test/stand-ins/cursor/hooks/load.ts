/** Loads the hooks of a session from all files. A file with a mistake is ignored silently. */
import { join } from "node:path";
import { fieldsOf, listOf, numberOf, parsed, textOf, type Fields } from "../../agent-loop/index.ts";
import { readJson, readText } from "../files.ts";
import { userFolder } from "../places.ts";
import { claudeHooks } from "./claude.ts";
import { hookEvents, type HookEvent } from "./events.ts";
import { matcherOf, type Hook } from "./hook.ts";

export interface HookPlaces {
  readonly cwd: string;
  /** Without trust the project's own hooks do not run. */
  readonly trusted: boolean;
  readonly pluginDirs: readonly string[];
  /** The known event names, when the version does not know all. */
  readonly events?: readonly string[] | undefined;
}

interface Owner {
  readonly cwd: string;
  readonly plugin?: string;
  readonly events: readonly string[];
}

/** In order of precedence. */
export function loadHooks({ cwd, trusted, pluginDirs, events = hookEvents }: HookPlaces): Hook[] {
  return [
    ...(trusted ? hooksIn(join(cwd, ".cursor", "hooks.json"), { cwd, events }) : []),
    ...hooksIn(join(userFolder(), "hooks.json"), { cwd: userFolder(), events }),
    ...claudeHooks(cwd, trusted),
    ...pluginDirs.flatMap((folder) => hooksOfPlugin({ cwd: folder, plugin: folder, events })),
  ];
}

function hooksIn(path: string, owner: Owner): Hook[] {
  const text = readText(path);
  return text === undefined ? [] : hooksOf(fieldsOf(parsed(text)), owner);
}

function hooksOfPlugin(owner: Owner): Hook[] {
  const manifest = readJson(join(owner.cwd, ".cursor-plugin", "plugin.json"));
  if (textOf(manifest["name"]) === "") return [];
  const { hooks } = manifest;
  if (typeof hooks === "object" && hooks !== null) return hooksOf({ version: 1, hooks }, owner);
  return hooksIn(join(owner.cwd, textOf(hooks) || "hooks/hooks.json"), owner);
}

function hooksOf(file: Fields, owner: Owner): Hook[] {
  const lists = Object.entries(fieldsOf(file["hooks"]));
  if (file["version"] !== 1 || lists.some(([name]) => !owner.events.includes(name))) return [];
  const entries = lists.flatMap(([event, list]) =>
    listOf(list).map((entry) => ({ event: event as HookEvent, entry: fieldsOf(entry) })),
  );
  // Skip hooks that ask a model instead of running a program: Reins does not use them.
  const commands = entries.filter(({ entry }) => entry["type"] !== "prompt");
  const voided = ({ entry }: { entry: Fields }): boolean => /^$|:\/\//.test(textOf(entry["command"]));
  return commands.some(voided) ? [] : commands.map(({ event, entry }) => hookOf(event, entry, owner));
}

function hookOf(event: HookEvent, entry: Fields, { cwd, plugin }: Owner): Hook {
  const limit = entry["loop_limit"];
  return {
    event,
    command: textOf(entry["command"]),
    cwd,
    matcher: matcherOf(entry["matcher"]),
    timeoutMs: (numberOf(entry["timeout"]) || 60) * 1000,
    failClosed: entry["failClosed"] === true,
    loopLimit: limit === null ? undefined : numberOf(limit) || 5,
    plugin,
  };
}
