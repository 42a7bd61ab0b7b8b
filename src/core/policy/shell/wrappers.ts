/** Commands that start another command named in their arguments. */

export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags: string;
  /** Letters of options with a value. */
  readonly takes: string;
  /** Long options whose value is the next word. */
  readonly long?: string;
  /** Letters of options with an effect of their own, such as writing a file or renaming the program. */
  readonly more?: string;
  readonly before?: number;
  /** True when variables may precede the command. */
  readonly assigns?: boolean;
  /** True when the wrapper adds and removes nothing: permission for the inner command is enough. */
  readonly harmless?: boolean;
  /** True when the rest of the command comes from elsewhere. */
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
  // The value of `-e`, `-i` and `-l`, if any, is in the same word.
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

/** Shells that read this kind of command line from `-c`. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "rbash"]);

/** Options with which a shell only does what its `-c` says. */
export const shellOptions = /^(?:[-+][cefiluvx]*[oO]?|--(?:command|login|noprofile|norc|posix|verbose))$/;
export const shellSettings: ReadonlySet<string> = new Set(
  "errexit noglob nounset pipefail verbose xtrace globstar nullglob extglob".split(" "),
);

/** Interpreters run what they read, which is not visible here. */
export const interpreters: ReadonlySet<string> = new Set(
  "fish csh tcsh pwsh powershell cmd python python2 python3 node nodejs deno bun perl ruby php lua osascript tclsh".split(
    " ",
  ),
);

/** Tools that process text and never run it. `awk` and `sed` are missing, because their programs can run commands. */
export const textTools: ReadonlySet<string> = new Set(
  (
    "base64 cat cmp column comm cut diff echo expand fold grep egrep fgrep rg head hexdump join jq less md5sum more nl od paste printf " +
    "rev sha1sum sha256sum sha512sum shasum sort strings tac tail tee tr true unexpand uniq wc xxd"
  ).split(" "),
);

/** Commands that start another command somewhere in their arguments, in ways not worth following exactly. */
export const looseWrappers: ReadonlySet<string> = new Set(
  (
    "chrt choom dbus-run-session firejail flock fakeroot ltrace noglob nocorrect nsenter parallel pkexec prlimit proot runuser script " +
    "script setarch setpriv sg softlimit ssh sshpass strace systemd-run taskset unshare unbuffer xvfb-run"
  ).split(" "),
);

/** Commands whose arguments are a command line. */
export const evaluators: ReadonlySet<string> = new Set(["eval", "trap", "watch"]);

/** Builtins that set variables, define names or change the rules of the shell, so later words may mean something else. */
export const changingBuiltins: ReadonlySet<string> = new Set(
  (
    ". alias autoload bind caller compgen complete compopt coproc declare disable emulate enable export fc float functions getopts hash " +
    "history integer let local mapfile nameref read readarray readonly set setopt shift shopt source typeset unalias unfunction unset " +
    "unsetopt vared zmodload"
  ).split(" "),
);

/** Builtins without effect unless they evaluate an argument, quoted or not: `test -v 'a[$(rm x)]'`, `printf -v name`. */
export const evaluatingBuiltins: ReadonlySet<string> = new Set([
  "[",
  "[[",
  "printf",
  "print",
  "test",
  "wait",
  "ulimit",
  "cd",
]);
export const evaluated: RegExp = /\w\[|\$\(|`|^-\w*[vpo]/;
