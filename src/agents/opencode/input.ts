/** A prompt with its attachments as the parts of a message. */
import type { OpenOptions, PromptInput } from "../contract.ts";
import { attachedTo } from "../shared/attachments.ts";
import type { OwnModel } from "./model-names.ts";

/** Files are sent as text: OpenCode would read them by its own tool, past its rules and past Reins. */
export async function partsOf(input: PromptInput, cwd: string, maxBytes: number): Promise<object[]> {
  const { texts, images } = await attachedTo(input, cwd, maxBytes);
  const said = [...texts, input.text].filter((text) => text.trim() !== "");
  return [
    ...images.map(({ mediaType, data }, index) => ({
      type: "file",
      mime: mediaType,
      filename: `image-${index + 1}.${mediaType.split("/")[1]}`,
      url: `data:${mediaType};base64,${data}`,
    })),
    ...said.map((text) => ({ type: "text", text })),
  ];
}

/** What goes with every prompt, because OpenCode remembers none of it. */
export function promptBody(
  parts: readonly object[],
  agent: string,
  model: OwnModel | undefined,
  systemPrompt: OpenOptions["systemPrompt"],
): object {
  const { providerID, modelID, variant } = model ?? {};
  return {
    parts,
    agent,
    ...(providerID === undefined ? {} : { model: { providerID, modelID } }),
    ...(variant === undefined ? {} : { variant }),
    ...(systemPrompt?.how === "append" ? { system: systemPrompt.text } : {}),
  };
}
