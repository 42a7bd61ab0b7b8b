import { statSync } from "node:fs";
import type { Attachment } from "../agents/contract.ts";
import { ReinsError } from "../events/errors.ts";
import { absolutePath } from "../process/current-folder.ts";

/** The files of `--image` and `--file`, seen from where the command was started. */
export function attachments({
  image = [],
  file = [],
}: {
  image?: readonly string[];
  file?: readonly string[];
}): readonly Attachment[] {
  return [
    ...image.map((path) => ({ kind: "image", path: existing(path) }) as const),
    ...file.map((path) => ({ kind: "file", path: existing(path) }) as const),
  ];
}

function existing(path: string): string {
  const whole = absolutePath(path);
  const found = statSync(whole, { throwIfNoEntry: false });
  if (found?.isFile() !== true)
    throw new ReinsError("invalid_input", found === undefined ? `There is no file ${path}.` : `${path} is not a file.`);
  return whole;
}
