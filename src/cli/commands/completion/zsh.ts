import type { Completed, Follows } from "./words.ts";

export function zshScript(all: readonly Completed[]): string {
  const paths = all.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `#compdef reins
# Completion of reins for zsh. Add to ~/.zshrc, after compinit: eval "$(reins completion zsh)"
_reins_ask() {
  local -a found
  found=(\${(f)"$($words[1] completion --values $1 2>/dev/null)"})
  compadd -a found
}
_reins() {
  local at="" prev="\${words[CURRENT-1]}" i
  for ((i = 2; i < CURRENT; i++)); do
    case "\${at:+$at }\${words[i]}" in
      (${paths.join("|")}) at="\${at:+$at }\${words[i]}" ;;
    esac
  done
  case "$at $prev" in
${all.flatMap(afterOptions).join("\n")}
  esac
  local -a said
  case "$at" in
${all.map(inside).join("\n")}
  esac
}
if [ "$funcstack[1]" = "_reins" ]; then _reins "$@"; else compdef _reins reins; fi
`;
}

function afterOptions({ path, options }: Completed): string[] {
  return options.flatMap(({ flags, follows }) =>
    follows === undefined
      ? []
      : [`    (${flags.map((flag) => `"${path} ${flag}"`).join("|")}) ${offer(follows)} return ;;`],
  );
}

function inside({ path, commands, options, follows }: Completed): string {
  const described = [
    ...commands.map(({ name, description }) => [name, description] as const),
    ...options.flatMap(({ flags, description }) => flags.map((flag) => [flag, description] as const)),
  ].map(([word, description]) => quoted(`${word.replaceAll(":", "\\:")}:${description}`));
  const say = described.length === 0 ? "" : `said=(${described.join(" ")}); _describe reins said;`;
  return `    ("${path}") ${say} ${follows.map(offer).join(" ")} ;;`;
}

function offer(follows: Follows): string {
  if (follows === "anything") return "";
  if (follows === "file") return "_files;";
  if (follows === "folder") return "_files -/;";
  if ("ask" in follows) return `_reins_ask ${follows.ask};`;
  return follows.words.length === 0 ? "" : `compadd -- ${follows.words.map(quoted).join(" ")};`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
