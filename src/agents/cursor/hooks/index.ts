/** Cursor's hooks in a session: they ask Reins about what is about to happen, and tell what the stream does not. */
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toReinsError } from "../../../events/errors.ts";
import type { AgentEvent } from "../../../events/types.ts";
import type { AgentContext, Answer, OpenOptions } from "../../contract.ts";
import { program } from "../program.ts";
import { beginningOf } from "./beginning.ts";
import { Calls } from "./calls.ts";
import type { DeskOptions } from "./desk.ts";
import type { HookEvent } from "./events.ts";
import { Gate } from "./gate.ts";
import { install } from "./install.ts";
import type { Installed } from "./install.ts";
import { keptPlace } from "./manage.ts";
import { Merging } from "./merging.ts";
import { placeIn, waitFor } from "./places.ts";
import { serveHooks } from "./server.ts";
import { Silence } from "./silence.ts";
import { variables } from "./shim.ts";

export interface HooksOptions extends Pick<DeskOptions, "say" | "isPrompted"> {
  readonly context: AgentContext;
  readonly options: Pick<OpenOptions, "cwd" | "systemPrompt" | "env">;
  /** Of the program; undefined where it is not known. */
  readonly version: string | undefined;
  /** A person denied something and wants the turn to end. */
  readonly stop: () => void;
}

export interface Hooks {
  /** False: nothing of it is there, and all of this does nothing. */
  readonly on: boolean;
  /** For the command line and the environment of each process. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Answers what was said through `say`. False where it is not a hook's, or was answered before. */
  answer(requestId: string, answer: Answer): boolean;
  /** Whether such a hook has ever fired, or any. */
  fired(event?: HookEvent): boolean;
  /** What the stream says goes through here: each call has one id after it, and nothing is told twice. */
  merge(events: readonly AgentEvent[]): readonly AgentEvent[];
  /** Whether a hook asked about this call before it ran. */
  held(callId: string): boolean;
  /** Whether a person was asked about this call by a hook, and allowed it: they need not be asked again. */
  approved(callId: string): boolean;
  /** After the last process has ended. May be called often. */
  close(): Promise<void>;
}

/** Seconds after Reins's own deadline: first Reins says no, then this server, then the script, then Cursor. */
const serverMs = 1_000;
const scriptSeconds = 3;

const off: Hooks = {
  on: false,
  args: [],
  env: {},
  answer: () => false,
  fired: () => false,
  merge: (events) => events,
  held: () => false,
  approved: () => false,
  close: () => Promise.resolve(),
};

/** What keeps them from being there is a notice, or an error where somebody asked for them. */
export async function openHooks(options: HooksOptions): Promise<Hooks> {
  const asked = placeIn(options.context.env);
  if (asked === "off") return off;
  try {
    const place = asked ?? keptPlace(options.context, options.options.cwd) ?? "plugin";
    return await opened(place, options);
  } catch (thrown) {
    const error = toReinsError(thrown);
    if (asked !== undefined) throw error;
    const message = `The session goes on without hooks: ${error.message}`;
    options.say([{ type: "notice", level: "info", code: "hooks", message }]);
    return off;
  }
}

async function opened(place: Parameters<typeof install>[0], given: HooksOptions): Promise<Hooks> {
  const { context, say, version, stop, isPrompted } = given;
  const { cwd } = given.options;
  // The owner's pid is in its name, so that what a crash left can be told from what is in use.
  const folder = await mkdtemp(join(tmpdir(), `reins-${program.id}-${process.pid}-`));
  const leave: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async (): Promise<void> => {
    for (let next = leave.pop(); next !== undefined; next = leave.pop()) await next();
  };
  try {
    const installed: Installed = await install(place, { context, cwd, version, folder, wait: waitFor(context) });
    const { args, wait, doubt: message, unheard, giveBack } = installed;
    leave.push(giveBack);
    if (message !== undefined) say([{ type: "notice", level: "warning", code: "hooks", message }]);
    // With the schemas, which take a while to load.
    const { Desk } = await import("./desk.ts");
    const prefix = `hook-${randomBytes(4).toString("hex")}`;
    const calls = new Calls(cwd, prefix);
    const deadlineMs = Math.min(wait * 1000, context.deadlines.permission) + serverMs;
    const gate = new Gate({ say, stop, deadlineMs, prefix });
    const merging = new Merging(calls, cwd, prefix);
    const desk = new Desk({ say, isPrompted, calls, gate, merging, beginning: beginningOf(given.options) });
    const silence = new Silence(() => desk.fired(), unheard);
    // Commands of the agent have it in their environment. Of this shape, it is taken out of whatever they print.
    const token = `sk-reins-${randomBytes(24).toString("hex")}`;
    const mostBytes = context.limits.lineBytes;
    const server = await serveHooks({ folder, token, mostBytes, onHook: (...hook) => desk.answer(...hook) });
    leave.push(
      () => server.close(),
      () => gate.close(),
    );
    return {
      on: true,
      args,
      env: {
        [variables.token]: token,
        [variables.address]: server.address,
        [variables.wait]: String(wait + scriptSeconds),
      },
      answer: (requestId, answer) => gate.answer(requestId, answer),
      fired: (event) => desk.fired(event),
      merge: (events) => {
        const merged = silence.heard(merging.merge(events));
        if (events.some(({ type }) => type === "turn.ended")) {
          gate.turnEnded();
          desk.turnEnded();
        }
        return merged;
      },
      held: (callId) => calls.get(callId)?.asked === true,
      approved: (callId) => gate.approved(calls.get(callId)?.callId ?? callId),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
