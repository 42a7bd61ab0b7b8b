/** Web tools, limited to loopback. */
import { textOf } from "../fields.ts";
import type { LoopTool } from "../types.ts";

export const webFetchTool: LoopTool = {
  name: "web_fetch",
  description: "Fetch a page.",
  required: ["url"],
  async run(input, { signal }) {
    const url = textOf(input["url"]);
    const { hostname } = new URL(url);
    if (!["127.0.0.1", "localhost", "[::1]"].includes(hostname)) throw new Error(`${hostname} cannot be reached.`);
    const response = await fetch(url, { signal });
    const content = await response.text();
    return { ok: response.ok, text: content, facts: { url, status: response.status, content } };
  },
};

/** Sends no request: the stand-in has no internet access, and the results do not matter. */
export const webSearchTool: LoopTool = {
  name: "web_search",
  description: "Search the web.",
  required: ["query"],
  run: async (input) => ({
    ok: true,
    text: `Nothing was found for ${textOf(input["query"])}.`,
    facts: { query: input["query"], references: [] },
  }),
};
