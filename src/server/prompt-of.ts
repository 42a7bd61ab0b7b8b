/** What a client says, as a session takes it: uploads become files, and files lie in the roots. */
import type { Attachment } from "../agents/contract.ts";
import type { Prompt } from "../core/api.ts";
import type { Principal } from "./access/principal.ts";
import { requireInside } from "./access/roots.ts";
import type { AttachmentBody, PromptBody } from "./schemas/prompt.ts";
import type { Uploads } from "./uploads.ts";

export function promptOf(uploads: Uploads, principal: Principal, prompt: PromptBody): Prompt {
  if (typeof prompt === "string") return prompt;
  const { text, attachments = [] } = prompt;
  return { text, attachments: attachments.map((one) => attachmentOf(uploads, principal, one)) };
}

export function uploadsIn(prompt: PromptBody): readonly string[] {
  if (typeof prompt === "string") return [];
  return (prompt.attachments ?? []).flatMap((one) => (one.kind === "upload" ? [one.id] : []));
}

function attachmentOf(uploads: Uploads, principal: Principal, attachment: AttachmentBody): Attachment {
  if (attachment.kind === "upload") {
    const { path, mediaType, name } = uploads.get(attachment.id);
    return mediaType.startsWith("image/") ? { kind: "image", path, name } : { kind: "file", path, name };
  }
  if ("path" in attachment) requireInside(principal, attachment.path, "file");
  return attachment;
}
