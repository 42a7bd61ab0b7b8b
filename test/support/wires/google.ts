import { eventsIn, nothingHeard, type Entry, type Heard, type JsonObject } from "./wire.ts";

interface Part {
  text?: string;
  thought?: boolean;
  functionCall?: { name: string; args: unknown };
}
interface Usage {
  promptTokenCount: number;
  candidatesTokenCount: number;
  cachedContentTokenCount?: number;
  thoughtsTokenCount?: number;
  totalTokenCount: number;
}
export interface GoogleAnswer {
  candidates: { content: { parts: Part[] }; finishReason?: string }[];
  usageMetadata: Usage;
}

export const google: JsonObject = {
  speaks: "gemini",
  request: (talk, stream) => ({
    path: `/v1beta/models/m:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: { contents: talk.flatMap(contentsOf) },
  }),
  whole: (body) => heardIn([JSON.parse(body) as GoogleAnswer]),
  streamed(body) {
    // An error is plain JSON after the events.
    const error = /(?:^|\n)(\{"error".*)$/.exec(body)?.[1];
    const heard = heardIn(eventsIn<GoogleAnswer>(body));
    return error === undefined ? heard : { ...heard, error: google.problem(error) };
  },
  problem: (body) => (JSON.parse(body) as { error: { message: string } }).error.message,
};

function heardIn(answers: readonly GoogleAnswer[]): Heard {
  const heard = nothingHeard();
  for (const { candidates, usageMetadata: usage } of answers) {
    const [candidate] = candidates;
    for (const { text, thought, functionCall: call } of candidate?.content.parts ?? []) {
      if (thought === true) heard.thought += text;
      else heard.text += text ?? "";
      if (call) heard.calls.push({ name: call.name, input: call.args });
    }
    heard.stop = candidate?.finishReason;
    const { cachedContentTokenCount: cached = 0, thoughtsTokenCount: thoughts = 0 } = usage;
    heard.usage = {
      input: usage.promptTokenCount - cached,
      output: usage.candidatesTokenCount + thoughts,
      cacheRead: cached,
      thought: thoughts,
    };
  }
  return heard;
}

function contentsOf(entry: Entry): object[] {
  if ("model" in entry) return [{ role: "model", parts: [{ text: entry.model }] }];
  if ("user" in entry) {
    const images = Array.from({ length: entry.images ?? 0 }, () => ({
      inlineData: { mimeType: "image/png", data: "" },
    }));
    return [{ role: "user", parts: [{ text: entry.user }, ...images] }];
  }
  const { results } = entry;
  return [
    { role: "model", parts: results.map(() => ({ functionCall: { name: "T", args: {} } })) },
    { role: "user", parts: results.map((output) => ({ functionResponse: { name: "T", response: { output } } })) },
  ];
}
