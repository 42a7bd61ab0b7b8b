/** Which versions of Claude Code can be driven. */
import { ReinsError } from "../../events/errors.ts";

/** The oldest that was tried against a scripted model and did everything this folder counts on; 2.1.185 does not. */
export const minimalVersion = "2.1.300";

export function isSupported(version: string): boolean {
  const wanted = numbers(minimalVersion);
  const given = numbers(version);
  for (const [index, part] of wanted.entries()) {
    const difference = (given[index] ?? 0) - part;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export function unsupportedVersion(version: string): ReinsError {
  return new ReinsError(
    "version_unsupported",
    `Claude Code ${version} is too old; Reins needs ${minimalVersion} or newer.`,
    {
      agent: "claude",
      help: "Update it with `claude update` or `npm install -g @anthropic-ai/claude-code`.",
    },
  );
}

/** "2.1.325 (Claude Code)" is 2.1.325. */
export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
