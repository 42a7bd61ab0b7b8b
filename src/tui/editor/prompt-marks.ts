/** Reads a submitted prompt: `!` is a shell command, `&` a cloud agent, `/` a command, `@` a file. */
import { readCloudMark } from "../../view/cloud.ts";

export interface ReadPrompt {
  readonly kind: "prompt" | "shell" | "cloud" | "slash";
  /** Without the mark; a plain prompt without the backslash that escaped the mark. */
  readonly text: string;
  /** Name of a slash command, without the slash. */
  readonly name?: string | undefined;
  /** Arguments of a slash command, trimmed. */
  readonly args?: string | undefined;
}

/** A mark counts only as the first character. A first word with a second slash is a path, not a command. */
export function readPrompt(text: string): ReadPrompt {
  if (/^\\[!/]/.test(text)) return { kind: "prompt", text: text.slice(1) };
  const addressed = readCloudMark(text);
  if (addressed.to === "cloud") return { kind: "cloud", text: addressed.text };
  if (addressed.text !== text) return { kind: "prompt", text: addressed.text };
  const rest = text.slice(1).trim();
  if (text.startsWith("!") && rest !== "") return { kind: "shell", text: rest };
  const [, name, args = ""] = /^\/([^\s/]+)(?:\s+([\s\S]*))?$/u.exec(text) ?? [];
  if (name !== undefined) return { kind: "slash", text: text.slice(1), name, args: args.trim() };
  return { kind: "prompt", text };
}

export interface Mention {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** `@path` and `@"path with blanks"` at the start of a word. */
export function mentionsOf(text: string): readonly Mention[] {
  return Array.from(text.matchAll(/(?<=^|[\s([{"'`,;:=])@(?:"([^"\n]+)"|([^\s"@][^\s"]*))/gu), (match) => ({
    path: match[1] ?? match[2] ?? "",
    from: match.index,
    to: match.index + match[0].length,
  }));
}

const image = /\.(?:png|jpe?g|gif|webp)$/iu;

/** Existing images that the prompt mentions, each once, to be sent as attachments. The text is unchanged. */
export function mentionedImages(text: string, exists: (path: string) => boolean): readonly string[] {
  const found = mentionsOf(text).flatMap(({ path }) => {
    const candidates = [path, path.replace(/[.,;:!?)\]}'`]+$/u, "")];
    return candidates.find((each) => image.test(each) && exists(each)) ?? [];
  });
  return [...new Set(found)];
}

/** The path of an image that was dropped on the terminal, which pastes it with quotes or backslashes. */
export function pastedImagePath(pasted: string): string | undefined {
  const text = pasted.trim();
  if (/[\r\n]/.test(text)) return undefined;
  const [, quoted] = /^(?:'([^']*)'|"([^"]*)")$/u.exec(text)?.filter((part) => part !== undefined) ?? [];
  const path = quoted ?? text.replace(/\\(.)/gu, "$1");
  const isPath = quoted !== undefined || !/(?<!\\)\s/u.test(text);
  return isPath && image.test(path) && /^(?:[/~.]|[A-Za-z]:[\\/])/u.test(path) ? path : undefined;
}
