/** Commands that start another one, named in their arguments. */

export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options with one. */
  readonly takes: string;
  /** Arguments before the command. */
  readonly before?: number;
  /** Variables may stand before the command. */
  readonly assigns?: boolean;
  /** It gives the command nothing and takes nothing away: whoever may run that may run it this way. */
  readonly harmless?: boolean;
  /** The rest of the command comes from elsewhere. */
  readonly unknown?: boolean;
}

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  ["sudo", { flags: "ABbEeHKklnPSsVv", takes: "CDghpRrTtUu", assigns: true }],
  ["doas", { flags: "Lns", takes: "Cu" }],
  ["env", { flags: "iv0", takes: "uC", assigns: true }],
  ["xargs", { flags: "0prtxo", takes: "adEeIiLlnPRsS", unknown: true }],
  ["time", { flags: "apvqlh", takes: "fo", harmless: true }],
  ["nice", { flags: "0123456789", takes: "n", harmless: true }],
  ["nohup", { flags: "", takes: "", harmless: true }],
  ["command", { flags: "p", takes: "", harmless: true }],
  ["builtin", { flags: "", takes: "", harmless: true }],
  ["exec", { flags: "cl", takes: "a", harmless: true }],
  ["timeout", { flags: "fpv", takes: "ks", before: 1, harmless: true }],
  ["stdbuf", { flags: "", takes: "ioe", harmless: true }],
  ["ionice", { flags: "t", takes: "cnpPu", harmless: true }],
  ["setsid", { flags: "cfw", takes: "", harmless: true }],
  ["chroot", { flags: "", takes: "", before: 1 }],
  ["busybox", { flags: "", takes: "" }],
]);

/** They read our kind of command line, from `-c`. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash"]);

/** They run what they read; what that says is for nobody to see here. */
export const interpreters: ReadonlySet<string> = new Set(
  "fish csh tcsh pwsh powershell cmd python python2 python3 node nodejs deno bun perl ruby php lua osascript tclsh".split(
    " ",
  ),
);

/** They do something with text and never run it. */
export const textTools: ReadonlySet<string> = new Set("cat tee git grep wc sort head tail jq tr cut diff".split(" "));

/** Their arguments are a command line, or change what later words mean. */
export const evaluators: ReadonlySet<string> = new Set(["eval", "trap", "watch"]);
export const unknowable: ReadonlySet<string> = new Set(["source", ".", "alias", "unalias", "hash", "enable", "coproc"]);

/** Words of the grammar that only stand before a command. */
export const passed: ReadonlySet<string> = new Set(["!", "{", "}"]);
export const controls: ReadonlySet<string> = new Set(
  "if then elif else fi while until do done esac coproc [[ ]]".split(" "),
);
/** ... and after which something else comes first. */
export const declarations: ReadonlySet<string> = new Set(["for", "select", "case", "function"]);
