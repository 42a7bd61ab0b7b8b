/** Ways in which versions of Cursor differ or go wrong, switched on one by one by variables `STAND_IN_*`. */

export interface Traps {
  /** What `--version` says. */
  readonly version: string;
  /** The tool at the top level and no call id; a failure is a result of its own. */
  readonly oldShape: boolean;
  /** With the prompt as an argument it does not end while its stdin is open. */
  readonly openStdin: boolean;
  /** It never ends after its result. */
  readonly hangAfterResult: boolean;
  /** It leaves a helper of its own behind. */
  readonly leavesWorker: boolean;
  /** Lines between the events that are no JSON. */
  readonly noise: boolean;
  /** Every event is on stderr too. */
  readonly mirror: boolean;
  /** A version before ACP: the word is a prompt like any other. */
  readonly noAcp: boolean;
  /** `create-chat` prints its id and stays. */
  readonly createChatStays: boolean;
  /** The events whose hooks run in print mode; default: those that were measured. */
  readonly printHooks: readonly string[] | "all" | undefined;
  /** The only names of events it knows; default: all there are. */
  readonly hookEvents: readonly string[] | undefined;
  /** Hooks of `--plugin-dir` do not run. */
  readonly noPluginHooks: boolean;
  /** Over ACP it asks before an edit too. */
  readonly asksEdits: boolean;
  /** What are notifications in the documentation are requests, and wait for an answer. */
  readonly extensionRequests: boolean;
  /** The methods of its own begin with an underscore. */
  readonly underscore: boolean;
  /** It compacts before the turn, of which only a hook tells. */
  readonly compacts: boolean;
  /** Anybody's key is refused at the start. */
  readonly badKey: boolean;
  /** The plan is used up: the stream ends behind its beginning. */
  readonly usageLimit: boolean;
  /** What it reads is told with so many million characters. */
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
