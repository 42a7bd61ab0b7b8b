/** Google's generateContent: `POST /v1beta/models/<model>:streamGenerateContent` and `:generateContent`. */
import type { Call, Dialect, Route } from "../dialect.ts";
import { error } from "./errors.ts";
import { read } from "./read.ts";
import { streamedAnswer } from "./streamed.ts";
import { wholeAnswer } from "./whole.ts";

export const google: Dialect = {
  route,
  answer: (response, request, settings) =>
    request.stream ? streamedAnswer(response, request, settings) : wholeAnswer(response, request, settings),
  error,
};

const address = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(\w+)$/;

function route({ method, path }: Call): Route | undefined {
  if (method === "GET") return listing(path);
  const [, model, verb] = address.exec(path) ?? [];
  if (method !== "POST" || model === undefined) return undefined;
  if (verb === "generateContent") return { kind: "answer", read: (body) => read(body, model, false) };
  if (verb === "streamGenerateContent") return { kind: "answer", read: (body) => read(body, model, true) };
  if (verb === "countTokens") return { kind: "count", reply: (bytes) => ({ totalTokens: Math.ceil(bytes / 4) }) };
  return undefined;
}

function listing(path: string): Route | undefined {
  if (path === "/v1beta/models") return { kind: "models", reply: () => ({ models: [about("scripted")] }) };
  const id = /^\/v1beta\/models\/([^/:]+)$/.exec(path)?.[1];
  return id === undefined ? undefined : { kind: "models", reply: () => about(id) };
}

const about = (id: string) => ({
  name: `models/${id}`,
  version: "1",
  displayName: "Scripted model",
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ["generateContent", "countTokens"],
});
