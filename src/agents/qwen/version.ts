/** Which versions of Qwen Code can be driven. */
import { ReinsError } from "../../events/errors.ts";

/** The oldest that was tried against a scripted model. */
export const minimalVersion = "0.24.4";

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
    `Qwen Code ${version} is too old; Reins needs ${minimalVersion} or newer.`,
    { agent: "qwen", help: "Update it with `qwen update` or `npm install -g @qwen-code/qwen-code`." },
  );
}

export function versionIn(text: string): string | undefined {
  return /\d+\.\d+\.\d+/.exec(text)?.[0];
}

function numbers(version: string): number[] {
  return version.split(".").map((part) => Number.parseInt(part, 10) || 0);
}
