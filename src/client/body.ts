/** Converts the caller's options and prompts to request bodies of the server's API. */
import type { Prompt, SessionOptions, TurnOptions } from "../core/api.ts";
import type { PromptBody } from "../server/schemas/common.ts";
import type { CreateBody } from "../server/schemas/sessions.ts";

/** The server needs absolute paths. A relative path is resolved against the caller's folder. */
export function absolute(path: string, cwd: string | undefined): string {
  if (cwd === undefined || /^([/\\]|[a-z]:[/\\])/i.test(path)) return path;
  return `${cwd}/${path}`;
}

export function promptBody(prompt: Prompt, cwd: string | undefined): PromptBody {
  if (typeof prompt !== "object" || prompt === null) return prompt;
  const { text, attachments } = prompt;
  return {
    text,
    ...(attachments !== undefined && {
      attachments: attachments.map((one) => ("path" in one ? { ...one, path: absolute(one.path, cwd) } : one)),
    }),
  };
}

/** Callbacks stay in the client; the server only needs to know whether somebody answers. */
export function optionsBody(options: SessionOptions & TurnOptions, cwd: string | undefined): CreateBody {
  const { onPermission, onQuestion, attended, signal: _s, whenBusy: _w, id: _i, ...rest } = options;
  const { resume, directories } = rest;
  // A stored session already has its own folder.
  const folder = rest.cwd ?? (resume === undefined || resume === "last" ? cwd : undefined);
  return {
    ...rest,
    ...(folder !== undefined && { cwd: absolute(folder, cwd) }),
    ...(directories !== undefined && { directories: directories.map((one) => absolute(one, cwd)) }),
    attended: attended ?? (onPermission !== undefined || onQuestion !== undefined),
  } as CreateBody;
}
