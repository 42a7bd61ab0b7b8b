import type { Completed, Follows } from "./words.ts";

/** Words are compared one by one: `compgen -W` would run what stands in them. */
export function bashScript(all: readonly Completed[]): string {
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `# Completion of reins for bash. Add to ~/.bashrc: eval "$(reins completion bash)"
_reins_words() {
  local word
  while IFS= read -r word; do
    if [[ -n $word && $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
  done
}
_reins_ask() { _reins_words < <("\${COMP_WORDS[0]}" completion --values "$1" 2>/dev/null); }
_reins_say() { _reins_words < <(printf '%s\\n' "$@"); }
_reins() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD - 1]}" at="" i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${at:+$at }\${COMP_WORDS[i]}" in
      ${paths.join(" | ")}) at="\${at:+$at }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${all.flatMap(afterOptions).join("\n")}
  esac
  case "$at" in
${all.map(inside).join("\n")}
  esac
}
complete -F _reins reins
`;
}

function afterOptions({ path, options }: Completed): string[] {
  return options.flatMap(({ flags, follows }) =>
    follows === undefined
      ? []
      : [`    ${flags.map((flag) => `"${path} ${flag}"`).join(" | ")}) ${offer(follows)} return ;;`],
  );
}

function inside({ path, commands, options, follows }: Completed): string {
  const words = [...commands.map(({ name }) => name), ...options.flatMap(({ flags }) => flags)];
  return `    "${path}") ${offer({ words })} ${follows.map(offer).join(" ")} ;;`;
}

function offer(follows: Follows): string {
  if (follows === "anything") return "";
  if (follows === "file") return `mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$cur");`;
  if (follows === "folder") return `mapfile -t -O "\${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$cur");`;
  if ("ask" in follows) return `_reins_ask ${follows.ask};`;
  return follows.words.length === 0 ? "" : `_reins_say ${follows.words.map((word) => `'${word}'`).join(" ")};`;
}
