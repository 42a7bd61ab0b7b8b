/** A prompt with its attachments as what `turn/start` takes. */
import type { Wire } from "../../drivers/stream-json/read.ts";
import type { PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";

export async function inputOf(input: PromptInput, cwd: string, maxBytes: number): Promise<Wire[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = input.text.trim() === "" ? texts : [...texts, input.text];
  return [
    ...images.map(({ mediaType, data }) => ({ type: "image", url: `data:${mediaType};base64,${data}` })),
    ...said.map((text) => ({ type: "text", text, text_elements: [] })),
  ];
}
