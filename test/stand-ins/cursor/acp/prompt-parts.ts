import { fieldsOf, listOf, textOf, type ChatPart } from "../../agent-loop/index.ts";
import { invalidParams } from "./rpc.ts";

/** The content blocks of a prompt; it accepts texts, images and file names. */
export function partsOf(prompt: unknown): ChatPart[] {
  return listOf(prompt)
    .map(fieldsOf)
    .map((block): ChatPart => {
      switch (block["type"]) {
        case "text":
          return { type: "text", text: textOf(block["text"]) };
        case "image": {
          const url = `data:${textOf(block["mimeType"])};base64,${textOf(block["data"])}`;
          return { type: "image_url", image_url: { url } };
        }
        case "resource_link":
          return { type: "text", text: `@${textOf(block["uri"]).replace(/^file:\/\//, "")}` };
        default:
          throw invalidParams(`Unsupported content: ${String(block["type"])}`);
      }
    });
}
