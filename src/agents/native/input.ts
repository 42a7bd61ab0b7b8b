/** A prompt with its attachments as a message to the model. */
import type { UserModelMessage } from "ai";
import type { PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";

export async function userMessage(input: PromptInput, cwd: string, maxBytes: number): Promise<UserModelMessage> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  if (texts.length + images.length === 0) return { role: "user", content: input.text };
  return {
    role: "user",
    content: [
      ...images.map(({ mediaType, data }) => ({ type: "file" as const, mediaType, data })),
      ...[...texts, input.text].filter((text) => text.trim() !== "").map((text) => ({ type: "text" as const, text })),
    ],
  };
}
