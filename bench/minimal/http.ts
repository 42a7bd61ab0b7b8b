/**
 * Minimal client for OpenCode's server: requests over HTTP and one stream of events. The plugin with which Reins holds its tools is in its
 * settings.
 */
import { startChild } from "./child.ts";
import { inside, type Launch, type Message, type MinimalClient } from "./client.ts";

export async function opencodeClient(launch: Launch): Promise<MinimalClient> {
  const listening = Promise.withResolvers<string>();
  const child = startChild(launch, (line) => {
    const url = /listening on (\S+)/.exec(line)?.[1];
    if (url !== undefined) listening.resolve(url);
  });
  const url = await listening.promise;
  const password = Buffer.from(`opencode:${launch.env["OPENCODE_SERVER_PASSWORD"]}`).toString("base64");
  const headers = { authorization: `Basic ${password}`, "content-type": "application/json" };
  const post = async (path: string, body: object): Promise<string> => {
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path}: ${response.status}`);
    return response.text();
  };
  const { id } = JSON.parse(await post("/session", {})) as { id: string };
  let onEvent = (_event: Message): void => {};
  const events = await fetch(`${url}/event`, { headers });
  void read(events.body!, (event) => onEvent(event)).catch(() => {});
  return {
    async turn(text) {
      const over = Promise.withResolvers<void>();
      onEvent = ({ type, properties }) => {
        if (type === "session.error") over.reject(new Error(JSON.stringify(properties)));
        if (type === "session.idle" && inside(properties)["sessionID"] === id) over.resolve();
      };
      await post(`/session/${id}/prompt_async`, { parts: [{ type: "text", text }], agent: "build" });
      await over.promise;
    },
    close: () => child.stop(),
  };
}

async function read(body: ReadableStream<Uint8Array>, onEvent: (event: Message) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of body) {
    const frames = (rest + decoder.decode(chunk, { stream: true })).split("\n\n");
    rest = frames.pop() ?? "";
    for (const frame of frames) if (frame.startsWith("data: ")) onEvent(JSON.parse(frame.slice(6)) as Message);
  }
}
