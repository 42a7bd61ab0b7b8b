/** The prompt of a run: the words of the command line, or all of stdin; and its images. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import type { ChatPart } from "../../agent-loop/index.ts";
import type { Arguments } from "../arguments.ts";
import { Ending } from "../output.ts";

export async function promptOf(given: Arguments): Promise<string> {
  const words = given.words.join(" ");
  if (words !== "") return words;
  const pieces: Buffer[] = [];
  if (!process.stdin.isTTY) for await (const piece of process.stdin) pieces.push(piece as Buffer);
  const text = Buffer.concat(pieces).toString("utf8");
  if (text.trim() === "") throw new Ending(1, "Error: No prompt provided for print mode.");
  return text;
}

export function imagesOf(given: Arguments): ChatPart[] {
  return given.values("image").map((path) => {
    const type = { ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp" }[extname(path)] ?? "png";
    return { type: "image_url", image_url: { url: `data:image/${type};base64,${read(path)}` } };
  });
}

function read(path: string): string {
  try {
    return readFileSync(path, "base64");
  } catch {
    throw new Ending(1, `Error: Cannot read the image ${path}.`);
  }
}
