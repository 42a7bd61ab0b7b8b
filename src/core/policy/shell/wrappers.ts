/** Commands that start another one, named in their arguments. */

export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options with one. */
  readonly takes: string;
  /** The long ones that have their value in the next word. */
  readonly long?: string;
  /** Letters of options that do something of their own: write a file, or give the program another name. */
  readonly more?: string;
  /** Arguments before the command. */
  readonly before?: number;
  /** Variables may stand before the command. */
  readonly assigns?: boolean;
  /** It gives the command nothing and takes nothing away: whoever may run that may run it this way. */
  readonly harmless?: boolean;
  /** The rest of the command comes from elsewhere. */
  readonly unknown?: boolean;
}

const xargsLong = "arg-file delimiter max-args max-chars max-procs process-slot-var";

export const wrappers: ReadonlyMap<string, Wrapper> = new Map<string, Wrapper>([
  [
    "sudo",
    {
      flags: "ABbEeHKklnPSsVv",
      takes: "CDghpRrTtUu",
      long: "user group host prompt chdir chroot role type",
      assigns: true,
    },
  ],
  ["doas", { flags: "Lns", takes: "Cu" }],
  ["env", { flags: "iv0", takes: "uC", long: "unset chdir", assigns: true }],
  // Of `-e`, `-i` and `-l` the value, if any, stands in the same word.
  ["xargs", { flags: "0eilprtxo", takes: "adEIJLnPRsS", long: xargsLong, unknown: true }],
  ["time", { flags: "apvqlh", takes: "fo", long: "format output", more: "afo", harmless: true }],
  ["nice", { flags: "0123456789", takes: "n", long: "adjustment", harmless: true }],
  ["nohup", { flags: "", takes: "", harmless: true }],
  ["command", { flags: "p", takes: "", harmless: true }],
  ["builtin", { flags: "", takes: "", harmless: true }],
  ["exec", { flags: "cl", takes: "a", more: "a", harmless: true }],
  ["timeout", { flags: "fpv", takes: "ks", long: "kill-after signal", before: 1, harmless: true }],
  ["stdbuf", { flags: "", takes: "ioe", long: "input output error", harmless: true }],
  ["ionice", { flags: "t", takes: "cnpPu", long: "class classdata pid pgid uid", harmless: true }],
  ["setsid", { flags: "cfw", takes: "", harmless: true }],
  ["chroot", { flags: "", takes: "", before: 1 }],
  ["busybox", { flags: "", takes: "" }],
]);

/** They read our kind of command line, from `-c`. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash"]);

/** Options after which a shell does what its `-c` says, and nothing else. */
export const shellOptions = /^(?:[-+][cefiluvx]*[oO]?|--(?:command|login|noprofile|norc|posix|verbose))$/;
export const shellSettings: ReadonlySet<string> = new Set(
  "errexit noglob nounset pipefail verbose xtrace globstar nullglob extglob".split(" "),
);

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

/** They evaluate arguments, quoted or not: a subscript (`a[$(rm x)]`), or a command after `-C` and words after `-W`. */
export const expandingBuiltins: ReadonlySet<string> = new Set(
  "[ compgen complete declare export getopts let local mapfile printf read readarray readonly test typeset unset wait".split(
    " ",
  ),
);
export const expanded: RegExp = /\w\[|\$\(|`|^-\w*[CW]/;

/** Words of the grammar that only stand before a command. */
export const passed: ReadonlySet<string> = new Set(["!", "{", "}"]);
export const controls: ReadonlySet<string> = new Set(
  "if then elif else fi while until do done esac coproc [[ ]]".split(" "),
);
/** ... and after which something else comes first. */
export const declarations: ReadonlySet<string> = new Set(["for", "select", "case", "function"]);
