/** Ways in which versions of Cursor differ or fail, enabled one by one with variables `STAND_IN_*`. */

export interface Traps {
  /** The output of `--version`. */
  readonly version: string;
  /** Prints the tool at the top level without a call id; a failure is a separate kind of result. */
  readonly oldShape: boolean;
  /** With the prompt as an argument it does not exit while its stdin is open. */
  readonly openStdin: boolean;
  /** Never exits after its result. */
  readonly hangAfterResult: boolean;
  /** Leaves a helper process behind. */
  readonly leavesWorker: boolean;
  /** Prints lines between the events that are not JSON. */
  readonly noise: boolean;
  /** Prints every event on stderr too. */
  readonly mirror: boolean;
  /** A version before ACP: takes the word "acp" as a prompt. */
  readonly noAcp: boolean;
  /** `create-chat` prints its id and does not exit. */
  readonly createChatStays: boolean;
  /** The events whose hooks run in print mode; default: those that were observed. */
  readonly printHooks: readonly string[] | "all" | undefined;
  /** The known hook events; default: all. */
  readonly hookEvents: readonly string[] | undefined;
  /** Ignores hooks of `--plugin-dir`. */
  readonly noPluginHooks: boolean;
  /** Asks before an edit over ACP too. */
  readonly asksEdits: boolean;
  /** Sends requests where the documentation has notifications, and waits for an answer. */
  readonly extensionRequests: boolean;
  /** The names of its own methods start with an underscore. */
  readonly underscore: boolean;
  /** Compacts before the turn, which only a hook reports. */
  readonly compacts: boolean;
  /** Refuses every key at the start. */
  readonly badKey: boolean;
  /** The plan is used up: the stream ends after its beginning. */
  readonly usageLimit: boolean;
  /** Reports read results with this many million characters. */
  readonly readMillions: number;
  readonly retries: number;
  readonly retryDelayMs: number;
}

export function trapsIn(env: NodeJS.ProcessEnv): Traps {
  const is = (name: string): boolean => (env[`STAND_IN_${name}`] ?? "") !== "";
  const hooks = env["STAND_IN_PRINT_HOOKS"];
  return {
    version: env["STAND_IN_VERSION"] || "2026.10.01-0a1b2c3",
    oldShape: is("OLD_SHAPE"),
    openStdin: is("OPEN_STDIN"),
    hangAfterResult: is("HANG_AFTER_RESULT"),
    leavesWorker: is("LEAVES_WORKER"),
    noise: is("NOISE"),
    mirror: is("MIRROR"),
    noAcp: is("NO_ACP"),
    createChatStays: is("CREATE_CHAT_STAYS"),
    printHooks: hooks === undefined || hooks === "all" ? hooks : hooks.split(","),
    hookEvents: env["STAND_IN_HOOK_EVENTS"]?.split(","),
    noPluginHooks: is("NO_PLUGIN_HOOKS"),
    asksEdits: is("ASKS_EDITS"),
    extensionRequests: is("EXTENSION_REQUESTS"),
    underscore: is("UNDERSCORE"),
    compacts: is("COMPACTS"),
    badKey: is("BAD_KEY"),
    usageLimit: is("USAGE_LIMIT"),
    readMillions: Number(env["STAND_IN_READ_MILLIONS"] ?? 0),
    retries: Number(env["STAND_IN_RETRIES"] ?? 3),
    retryDelayMs: Number(env["STAND_IN_RETRY_MS"] ?? 20),
  };
}
