/** The tool that fetches a web page, with limits on time, size, redirects, and the targets of redirects. */
import { lookup } from "node:dns";
import { lookup as lookupAll } from "node:dns/promises";
import { get as getHttp, type IncomingMessage, type RequestOptions } from "node:http";
import { get as getHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { defineTool, text, type Field } from "./definition.ts";
import { ToolProblem } from "../../shared/in-process/stop-turn.ts";
import { clipText } from "../../../events/clip.ts";

const address = (): Field<string> => ({
  ...text(),
  read: (value, problem, at) => {
    const url = text().read(value, problem, at);
    if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
      throw problem("must begin with http:// or https://");
    return new URL(url).href;
  },
});

export const webFetch = defineTool({
  tool: "web_fetch",
  description: "Fetch a page of the web (http or https) as text.",
  input: { url: address() },
  inquiry: async (_turn, { url }) =>
    (await isPrivateHost(new URL(url).hostname))
      ? { reason: "It is an address of this machine or its own network." }
      : {},
  run: async (turn, { url }) => {
    const { status, type, body, at } = await fetchPage(url, turn.signal);
    const words = /\bhtml\b/.test(type) ? await textOfHtml(body, at) : body;
    if (status >= 400) throw new ToolProblem(`${at} answered with status ${status}.`);
    return clipText(words.trim() === "" ? "The page is empty." : words, turn.context.host.limits.inlineBytes);
  },
});

const deadlineMs = 30_000;
const mostBytes = 2 * 1024 * 1024;
const mostRedirects = 5;

interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  /** The address after redirects. */
  readonly at: string;
}

/** Only the first address was allowed, so redirects to another host may lead only to public addresses. */
export async function fetchPage(url: string, signal: AbortSignal): Promise<Page> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
  let at = new URL(url);
  for (let redirects = 0; redirects <= mostRedirects; redirects++) {
    const response = await request(at, until, redirects > 0 && !isSameHost(at, url));
    const { statusCode: status = 0, headers } = response;
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy();
      at = nextAddress(headers.location, at);
      continue;
    }
    return { status, type: headers["content-type"] ?? "", body: await bodyOf(response), at: at.href };
  }
  throw new ToolProblem(`${url} leads on more than ${mostRedirects} times.`);
}

function isSameHost(at: URL, url: string): boolean {
  return at.host === new URL(url).host;
}

function nextAddress(location: string, from: URL): URL {
  if (!URL.canParse(location, from.href)) throw new ToolProblem(`${from.href} redirects to an invalid address.`);
  const next = new URL(location, from);
  if (!/^https?:$/.test(next.protocol))
    throw new ToolProblem(`${from.href} redirects to an address that is not http or https.`);
  return next;
}

/** The connection itself resolves the name, so that the checked address is the one in use. */
function request(url: URL, signal: AbortSignal, publicOnly: boolean): Promise<IncomingMessage> {
  const options: RequestOptions = {
    signal,
    headers: { "user-agent": "reins", accept: "text/html, text/*;q=0.9, application/json;q=0.9, */*;q=0.1" },
  };
  if (publicOnly) {
    if (isPrivate(bare(url.hostname))) throw privateProblem(url.hostname);
    options.lookup = publicLookup;
  }
  return new Promise((resolve, reject) => {
    const get = url.protocol === "https:" ? getHttps : getHttp;
    get(url, options, resolve).on("error", (error) => {
      reject(
        signal.aborted || error instanceof ToolProblem
          ? error
          : new ToolProblem(`${url.host} cannot be reached (${error.message}).`),
      );
    });
  });
}

const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, "", 0);
    const open = addresses.filter(({ address }) => !isPrivate(address));
    const [first] = open;
    if (first === undefined) return done(privateProblem(hostname), "", 0);
    if (options.all === true) return done(null, open);
    done(null, first.address, first.family);
  });
};

function privateProblem(host: string): ToolProblem {
  return new ToolProblem(`It leads to ${host}, an address of this machine or its own network, which nobody allowed.`);
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    bytes += (chunk as Buffer).length;
    if (bytes > mostBytes) break;
  }
  response.destroy();
  const body = Buffer.concat(chunks);
  if (body.subarray(0, 1_024).includes(0)) throw new ToolProblem("It is not text.");
  return body.toString("utf8");
}

/** True when a name leads to this machine or its own network. */
export async function isPrivateHost(hostname: string): Promise<boolean> {
  const host = bare(hostname);
  if (isIP(host) !== 0) return isPrivate(host);
  const found = await lookupAll(host, { all: true }).catch(() => []);
  return found.some(({ address }) => isPrivate(address));
}

function bare(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, "");
}

/** This machine, private networks, and addresses that no host has. */
const privateNetworks = `
  0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.168.0.0/16
  198.18.0.0/15 224.0.0.0/4 240.0.0.0/4 ::/127 64:ff9b::/96 fc00::/7 fe80::/10 ff00::/8
`;
const privateAddresses = new BlockList();
for (const network of privateNetworks.trim().split(/\s+/)) {
  const [address = "", bits] = network.split("/");
  privateAddresses.addSubnet(address, Number(bits), isIP(address) === 6 ? "ipv6" : "ipv4");
}

export function isPrivate(address: string): boolean {
  const family = isIP(address);
  if (family === 0) return false;
  return privateAddresses.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Deeper elements are left out, because the library is recursive. */
const deepest = 200;
/** Limits on hostile pages: the parser is quadratic in the number of open tags. */
const mostLetters = 500_000;
const mostTags = 40_000;

const unseen = ["head", "img", "noscript", "svg", "template"].map((selector) => ({ selector, format: "skip" }));
const headings = ["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } }));
const cells = ["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } }));

/** The text of a page with the targets of its links. `at` is the address of the page. */
export async function textOfHtml(html: string, at: string): Promise<string> {
  const { convert } = await import("html-to-text");
  const options = {
    wordwrap: false,
    whitespaceCharacters: " \t\r\n\f\u200b\u00a0",
    limits: { maxDepth: deepest },
    // Also includes text after the end of the body.
    baseElements: { selectors: [] },
    selectors: [
      ...unseen,
      ...headings,
      ...cells,
      { selector: "tr", format: "block", options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      {
        selector: "a",
        options: { hideLinkHrefIfSameAsText: true, pathRewrite: (href: string) => absolute(href, at) },
      },
    ],
  };
  return convert(bounded(html), options).trim();
}

function bounded(html: string): string {
  const text = html.slice(0, mostLetters);
  let tags = 0;
  for (const { index } of text.matchAll(/<[a-z/]/gi)) if (++tags > mostTags) return text.slice(0, index);
  return text;
}

function absolute(href: string, at: string): string {
  return URL.canParse(href, at) ? new URL(href, at).href : href;
}
