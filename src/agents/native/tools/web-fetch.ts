import { fetchPage, isPrivateHost } from "../fetch-page.ts";
import { clipText } from "../../../events/clip.ts";
import { ToolProblem } from "../../shared/endings.ts";
import { textOfHtml } from "../html-text.ts";
import { defineTool } from "./definition.ts";

export const webFetch = defineTool<{ readonly url: string }>({
  name: "web_fetch",
  tool: "web_fetch",
  description: "Fetch a page of the web (http or https) as text.",
  inputSchema: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
  check: (input) => {
    const url = input.text("url");
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw new ToolProblem("url must begin with http:// or https:// in the input of web_fetch.");
    return { url: new URL(url).href };
  },
  about: ({ url }) => ({ url }),
  inquiry: async (_turn, { url }) =>
    (await isPrivateHost(new URL(url).hostname))
      ? { reason: "It is an address of this machine or its own network." }
      : {},
  rule: ({ url }) => ({ key: `web_fetch ${new URL(url).host}`, label: `pages of ${new URL(url).host}` }),
  run: async (turn, { url }) => {
    const { status, type, body, at } = await fetchPage(url, turn.signal);
    const text = /\bhtml\b/.test(type) ? textOfHtml(body) : body;
    if (status >= 400) throw new ToolProblem(`${at} answered with status ${status}.`);
    return clipText(text.trim() === "" ? "The page is empty." : text, turn.desk.context.limits.inlineBytes);
  },
});
