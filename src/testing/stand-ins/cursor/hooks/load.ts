/** The hooks of a session, from every file that may hold some. A file with a mistake in it is left out whole, and nobody is told. */
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
}

/** In the order in which they count. */
export function loadHooks({ cwd, trusted, pluginDirs }: HookPlaces): Hook[] {
  return [
    ...(trusted ? hooksIn(join(cwd, ".cursor", "hooks.json"), cwd) : []),
    ...hooksIn(join(userFolder(), "hooks.json"), userFolder()),
    ...claudeHooks(cwd, trusted),
    ...pluginDirs.flatMap(hooksOfPlugin),
  ];
}

function hooksIn(path: string, cwd: string, plugin?: string): Hook[] {
  const text = readText(path);
  return text === undefined ? [] : hooksOf(fieldsOf(parsed(text)), cwd, plugin);
}

function hooksOfPlugin(folder: string): Hook[] {
  const manifest = readJson(join(folder, ".cursor-plugin", "plugin.json"));
  if (textOf(manifest["name"]) === "") return [];
  const { hooks } = manifest;
  if (typeof hooks === "object" && hooks !== null) return hooksOf({ version: 1, hooks }, folder, folder);
  const path = join(folder, textOf(hooks) || "hooks/hooks.json");
  return hooksIn(path, folder, folder);
}

function hooksOf(file: Fields, cwd: string, plugin: string | undefined): Hook[] {
  const entries = Object.entries(fieldsOf(file["hooks"]));
  const known: readonly string[] = hookEvents;
  if (file["version"] !== 1 || entries.some(([name]) => !known.includes(name))) return [];
  const all = entries.flatMap(([event, list]) =>
    listOf(list).map((entry) => hookOf(event as HookEvent, fieldsOf(entry), cwd, plugin)),
  );
  return all.some((hook) => hook === undefined) ? [] : all.filter((hook) => hook !== undefined);
}

/** Undefined where it would void its file: no command, or an address in it. */
function hookOf(event: HookEvent, entry: Fields, cwd: string, plugin: string | undefined): Hook | undefined {
  const command = textOf(entry["command"]);
  if (command === "" || command.includes("://")) return undefined;
  const limit = entry["loop_limit"];
  return {
    event,
    command,
    cwd,
    matcher: matcherOf(entry["matcher"]),
    timeoutMs: (numberOf(entry["timeout"]) || 60) * 1000,
    failClosed: entry["failClosed"] === true,
    loopLimit: limit === null ? undefined : numberOf(limit) || 5,
    plugin,
  };
}
