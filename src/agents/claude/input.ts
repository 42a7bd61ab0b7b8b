/** A prompt with its attachments as the blocks of a message. */
import type { PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";

export type Block =
  | { readonly type: "text"; readonly text: string }
  | {
      readonly type: "image";
      readonly source: { readonly type: "base64"; readonly media_type: string; readonly data: string };
    };

/** The person's own text comes last: only there does the agent look for slash commands and mentions. */
export async function blocksOf(input: PromptInput, cwd: string, maxBytes: number): Promise<Block[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = input.text.trim() === "" ? texts : [...texts, input.text];
  return [
    ...images.map(({ mediaType, data }): Block => ({
      type: "image",
      source: { type: "base64", media_type: mediaType, data },
    })),
    ...said.map((text): Block => ({ type: "text", text })),
  ];
}
