/** The hooks of one conversation and their combined verdict. */
import { fieldsOf, textOf, type Fields } from "../../agent-loop/index.ts";
import { email } from "../account.ts";
import { measuredInPrint, type HookEvent } from "./events.ts";
import type { Hook } from "./hook.ts";
import { loadHooks, type HookPlaces } from "./load.ts";
import { runHook } from "./run.ts";
import type { Traps } from "../traps.ts";

export interface HooksOptions extends HookPlaces {
  readonly traps: Traps;
  readonly channel: "print" | "acp";
  readonly chat: string;
  readonly roots: readonly string[];
  readonly transcript: string;
  readonly model: () => string;
}

export interface Verdict {
  readonly permission: "allow" | "deny" | "ask" | undefined;
  /** The message for the person and the model after a denial. */
  readonly message: string;
  readonly outputs: readonly Fields[];
}

export class Hooks {
  generation = "";
  readonly #options: HooksOptions;
  readonly #hooks: readonly Hook[];
  readonly #fires: (event: HookEvent) => boolean;
  #env: Record<string, string> = {};

  constructor(options: HooksOptions) {
    this.#options = options;
    const { traps, channel } = options;
    const pluginDirs = traps.noPluginHooks ? [] : options.pluginDirs;
    this.#hooks = loadHooks({ ...options, pluginDirs, events: traps.hookEvents });
    const inPrint: readonly string[] | "all" = traps.printHooks ?? measuredInPrint;
    this.#fires = (event) => channel === "acp" || inPrint === "all" || inPrint.includes(event);
  }

  /** `about` is the text that matchers are applied to. */
  async fire(event: HookEvent, about: string, extra: object): Promise<Verdict> {
    const meant = this.#hooks.filter(
      (hook) => hook.event === event && this.#fires(event) && (hook.matcher?.test(about) ?? true),
    );
    const payload = { ...this.#common(event), ...extra };
    const answers = await Promise.all(meant.map((hook) => runHook(hook, payload, this.#environment())));
    const outputs = answers.map(({ output }) => output);
    const blocked = answers.find(({ blocks }) => blocks !== undefined)?.blocks;
    if (blocked !== undefined) return { permission: "deny", message: blocked, outputs };
    // The first decision counts: hooks are sorted by precedence.
    const decided = outputs.find(({ permission }) => permission !== undefined);
    const permission = decided?.["permission"];
    const message = textOf(decided?.["agent_message"]) || textOf(decided?.["user_message"]);
    return { permission: isPermission(permission) ? permission : undefined, message, outputs };
  }

  /** Adds variables that sessionStart hooks define for later hooks. */
  addEnvironment(outputs: readonly Fields[]): void {
    for (const { env } of outputs)
      for (const [name, value] of Object.entries(fieldsOf(env))) this.#env[name] = String(value);
  }

  loopLimit(event: HookEvent): number {
    const limits = this.#hooks.filter((hook) => hook.event === event).map(({ loopLimit }) => loopLimit ?? Infinity);
    return Math.max(0, ...limits);
  }

  #common(event: HookEvent): object {
    const { chat, traps, roots, transcript, model } = this.#options;
    const where = { workspace_roots: roots, user_email: email, cursor_version: traps.version, hook_event_name: event };
    if (event === "workspaceOpen") return where;
    const turn = { conversation_id: chat, generation_id: this.generation, model: model(), session_id: chat };
    return { ...turn, ...where, transcript_path: transcript };
  }

  #environment(): Record<string, string> {
    const { cwd, traps, transcript } = this.#options;
    return {
      CURSOR_PROJECT_DIR: cwd,
      CLAUDE_PROJECT_DIR: cwd,
      CURSOR_VERSION: traps.version,
      CURSOR_USER_EMAIL: email,
      CURSOR_TRANSCRIPT_PATH: transcript,
      ...this.#env,
    };
  }
}

const isPermission = (value: unknown): value is "allow" | "deny" | "ask" =>
  value === "allow" || value === "deny" || value === "ask";
