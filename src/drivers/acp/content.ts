/** The blocks of content that ACP shares with MCP, as ours. */
import type { Content } from "../../events/types.ts";
import { number, record, text } from "./read.ts";
import type { Wire } from "./read.ts";

/** A block that is not text; nothing where it is of a kind we do not know. */
export function contentOf(block: Wire): Content | undefined {
  switch (block["type"]) {
    case "text":
      return { type: "text", text: text(block["text"]) ?? "" };
    case "image":
      return imageOf(block);
    case "resource_link":
      return resourceOf(block);
    case "resource":
      return resourceOf(record(block["resource"]));
    case "audio":
      return { type: "resource", uri: "data:", ...mediaType(block) };
    default:
      return undefined;
  }
}

function imageOf(block: Wire): Content {
  const data = text(block["data"]);
  const image: Content = { type: "image", mediaType: text(block["mimeType"]) ?? "image/png" };
  if (data === undefined) return image;
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  return { ...image, data, bytes: Math.floor((data.length * 3) / 4) - padding };
}

function resourceOf(block: Wire): Content {
  const said = text(block["text"]);
  return {
    type: "resource",
    uri: text(block["uri"]) ?? "",
    ...mediaType(block),
    ...(said === undefined ? {} : { text: said }),
  };
}

function mediaType(block: Wire): { mediaType?: string } {
  const type = text(block["mimeType"]);
  return type === undefined ? {} : { mediaType: type };
}

/** A place in a file, as calls name them. */
export function locationsOf(items: readonly Wire[]): { path: string; line?: number }[] {
  return items.flatMap((item) => {
    const path = text(item["path"]);
    const line = number(item["line"]);
    if (path === undefined) return [];
    return [line !== undefined && Number.isInteger(line) ? { path, line } : { path }];
  });
}
