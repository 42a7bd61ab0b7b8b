/** Cursor's hooks in a session: they ask Reins before actions, and report what the stream does not. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toReinsError } from "../../../events/errors.ts";
import { secretValues } from "../../../events/redact/values.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { AgentContext, Answer, OpenOptions } from "../../contract.ts";
import { program } from "../program.ts";
import { Calls } from "./calls.ts";
import { install, placeIn, waitFor, type HooksPlace } from "./install.ts";
import { keptPlace } from "./manage.ts";
import { HookRequests, type HookRequestsOptions } from "./requests.ts";
import type { HookOutput } from "./schemas.ts";
import { serveHooks } from "./server.ts";
import { variables } from "./shim.ts";
import { HookStreamMerge } from "./stream-merge.ts";

export interface HooksOptions extends Pick<HookRequestsOptions, "say" | "stop" | "edits"> {
  readonly context: AgentContext;
  readonly options: Pick<OpenOptions, "cwd" | "systemPrompt" | "env">;
  readonly version: string | undefined;
  /** True while a prompt that Reins sent is running and was not cancelled. */
  readonly isPrompted: () => boolean;
}

export interface Hooks {
  /** For the command line and the environment of each process. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  answer(requestId: string, answer: Answer): boolean;
  /** Denies everything that waits, because the turn is being cancelled. */
  cancelAll(): void;
  /** Merges the events of the stream with those of hooks: each call gets one id, and nothing is reported twice. */
  merge(events: readonly AgentEvent[]): readonly AgentEvent[];
  /** True when a hook asked about this call before it ran. */
  held(callId: string): boolean;
  /** True when a person allowed this call when its hook asked, so they need not be asked again. */
  approved(callId: string): boolean;
  /** Called after the last process has ended. May be called several times. */
  close(): Promise<void>;
}

/** Without an answer Reins denies first, then the hook server, then the script, then Cursor. */
const serverMs = 1_000;
const scriptSeconds = 3;

const off: Hooks = {
  args: [],
  env: {},
  answer: () => false,
  cancelAll: () => {},
  merge: (events) => events,
  held: () => false,
  approved: () => false,
  close: () => Promise.resolve(),
};

/** Hooks that cannot be installed cause a notice, or an error when the user required them. */
export async function openHooks(options: HooksOptions): Promise<Hooks> {
  const asked = placeIn(options.context.env);
  if (asked === "off") return off;
  try {
    return await opened(asked ?? keptPlace(options.context, options.options.cwd) ?? "plugin", options);
  } catch (thrown) {
    const error = toReinsError(thrown);
    if (asked !== undefined) throw error;
    const message = `The session continues without hooks: ${error.message}`;
    options.say([{ type: "notice", level: "info", code: "hooks", message }]);
    return off;
  }
}

async function opened(place: HooksPlace, given: HooksOptions): Promise<Hooks> {
  const { context, say, version, stop, edits, isPrompted } = given;
  const { cwd } = given.options;
  // The pid in the name tells a folder in use from one that a crash left.
  const folder = await mkdtemp(join(tmpdir(), `reins-${program.id}-${process.pid}-`));
  const leave: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (let next = leave.pop(); next !== undefined; next = leave.pop()) await next();
  };
  try {
    const installed = await install(place, { context, cwd, version, folder, wait: waitFor(context) });
    const { args, wait, doubt: message, unheard, giveBack } = installed;
    leave.push(giveBack);
    if (message !== undefined) say([{ type: "notice", level: "warning", code: "hooks", message }]);
    // Loaded here because it loads the schemas, which takes a while.
    const { HookRouter } = await import("./router.ts");
    const prefix = `hook-${randomBytes(4).toString("hex")}`;
    const calls = new Calls(cwd, prefix);
    const deadlineMs = Math.min(wait * 1000, context.deadlines.permission) + serverMs;
    const requests = new HookRequests({ say, stop, deadlineMs, prefix, edits });
    const merge = new HookStreamMerge(calls, cwd, prefix);
    const router = new HookRouter({ say, isPrompted, calls, requests, merge, beginning: beginningOf(given.options) });
    const warnOnce = silenceWarning(() => router.fired, unheard);
    // The agent's commands have the token in their environment; a token of this format is redacted from their output.
    const token = `sk-reins-${randomBytes(24).toString("hex")}`;
    const mostBytes = context.limits.lineBytes;
    const server = await serveHooks({ folder, token, mostBytes, onHook: (...hook) => router.answer(...hook) });
    leave.push(
      () => server.close(),
      () => requests.close(),
    );
    return {
      args,
      env: {
        [variables.token]: token,
        [variables.address]: server.address,
        [variables.wait]: String(wait + scriptSeconds),
      },
      answer: (requestId, answer) => requests.answer(requestId, answer),
      cancelAll: () => requests.cancelAll(),
      merge: (events) => {
        const merged = warnOnce(merge.merge(events)).map((event) => requests.told(event));
        if (events.some(({ type }) => type === "turn.ended")) {
          requests.turnEnded();
          router.turnEnded();
        }
        return merged;
      },
      held: (callId) => calls.get(callId)?.asked === true,
      approved: (callId) => requests.approved(calls.get(callId)?.callId ?? callId),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Cursor has no option for a system prompt, but accepts further context from a hook. */
function beginningOf({ systemPrompt, env = {} }: HooksOptions["options"]): HookOutput<"sessionStart"> {
  // The process already has all variables. Hooks get them in a text that may be logged, so secrets are left out.
  const plain = Object.entries(env).filter(([name, value]) => secretValues({ [name]: value }).length === 0);
  return {
    ...(plain.length === 0 ? {} : { env: Object.fromEntries(plain) }),
    ...(systemPrompt?.how === "append" ? { additional_context: systemPrompt.text } : {}),
  };
}

/** Hooks fire before a tool runs. When the first tool has run and none fired, none will: this is reported once. */
function silenceWarning(fired: () => boolean, message: string) {
  let isClear = false;
  return (events: readonly AgentEvent[]): readonly AgentEvent[] => {
    const at = isClear ? -1 : events.findIndex(({ type }) => type === "tool.completed");
    if (at < 0) return events;
    isClear = true;
    if (fired()) return events;
    return events.toSpliced(at + 1, 0, { type: "notice", level: "warning", code: "hooks", message });
  };
}
