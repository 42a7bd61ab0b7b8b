import { basename } from "node:path";
import type { PromptInput } from "../../agents/contract.ts";
import { ReinsError } from "../../events/errors.ts";
import type { Redactor } from "../../events/redact.ts";
import type { AttachmentRef } from "../../events/types.ts";
import type { Prompt } from "../api.ts";
import { keep } from "../record/limit-content.ts";

/** Validates a prompt and converts it for the agent. Throws one sentence when it cannot be sent. */
export function promptInput(prompt: Prompt, maxBytes: number): PromptInput {
  const input = typeof prompt === "string" ? { text: prompt } : prompt;
  if (typeof input !== "object" || input === null || typeof input.text !== "string") {
    throw new ReinsError("invalid_input", "A prompt is a text, or an object with one.");
  }
  if (input.text.trim() === "" && (input.attachments?.length ?? 0) === 0)
    throw new ReinsError("invalid_input", "The prompt is empty.");
  const bytes = Buffer.byteLength(input.text);
  if (bytes > maxBytes) {
    throw new ReinsError("invalid_input", `The prompt has ${bytes} bytes; at most ${maxBytes} are taken.`, {
      help: "Put the text into a file of the workspace and name it in the prompt.",
    });
  }
  return input;
}

/** The prompt as shown in events: long text is cut, and attachments are only named. */
export function shownInput(
  input: PromptInput,
  maxBytes: number,
  redact: Redactor,
): { text: string; attachments?: AttachmentRef[] | undefined; bytes?: number } {
  const { text, whole } = keep(input.text, maxBytes, redact);
  const shown = { text, attachments: referTo(input) };
  return whole ? shown : { ...shown, bytes: Buffer.byteLength(input.text) };
}

function referTo(input: PromptInput): AttachmentRef[] | undefined {
  if (input.attachments === undefined || input.attachments.length === 0) return undefined;
  return input.attachments.map((attachment) =>
    "path" in attachment
      ? { kind: attachment.kind, name: attachment.name ?? basename(attachment.path), path: attachment.path }
      : {
          kind: attachment.kind,
          name: attachment.name ?? "image",
          mediaType: attachment.mediaType,
          bytes: Math.floor((attachment.data.length * 3) / 4),
        },
  );
}
