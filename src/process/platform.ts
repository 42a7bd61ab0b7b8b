import { arch, release, type, userInfo } from "node:os";
import { basename } from "node:path";

/** The operating system and the user's shell: `Linux 6.8.0 (x64)`, `zsh`. */
export function platformFacts(env: Readonly<Record<string, string | undefined>>): {
  readonly os: string;
  readonly shell: string;
} {
  return { os: `${type()} ${release()} (${arch()})`, shell: shellOf(env) };
}

function shellOf(env: Readonly<Record<string, string | undefined>>): string {
  const path = env["SHELL"] || env["ComSpec"] || loginShell();
  return path === undefined ? "not known" : basename(path.replaceAll("\\", "/"));
}

function loginShell(): string | undefined {
  try {
    return userInfo().shell ?? undefined;
  } catch {
    // The user id has no entry in the user database, as in some containers.
    return undefined;
  }
}
