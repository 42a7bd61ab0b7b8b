import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { events, post, stream, textOf, user } from "../../test/support/messages-client.ts";
import { startScriptedModel, type ScriptedModel } from "./server.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const start = async () => (model = await startScriptedModel({ cwd: "/work space" }));

describe("failures", () => {
  test("have the status, body and headers of the service", async () => {
    await start();
    const response = await post(model, [user("scenario:quota")], { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
    expect(response.headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(model.requests[0]).toMatchObject({ ended: "error", status: 429 });
  });

  test("happen as often as specified, per conversation", async () => {
    await start();
    const statuses = async (id: string) => {
      const seen: number[] = [];
      for (let n = 0; n < 3; n++)
        seen.push((await post(model, [user("scenario:error-500-twice")], { metadata: { user_id: id } })).status);
      return seen;
    };
    expect(await statuses("a")).toEqual([500, 500, 200]);
    expect(await statuses("b")).toEqual([500, 500, 200]);
    expect(model.requests.map((request) => request.attempt)).toEqual([1, 2, 3, 1, 2, 3]);
  });

  test("cut the connection in the middle of a block", async () => {
    await start();
    const response = await post(model, [user("scenario:cut")], { stream: true });
    const heard: string[] = [];
    const listen = async () => {
      for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) heard.push(part);
    };
    await expect(listen()).rejects.toThrow("terminated");
    expect(textOf(events(heard.join("")))).toBe("Half an ans");
    expect(await model.waitFor((request) => request.ended === "cut")).toMatchObject({ scenario: "cut" });
  });

  test("end a stream with an error, and are skipped in an unstreamed answer", async () => {
    await start();
    const list = await stream(model, "scenario:mid-error");
    expect(list.at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    expect((await post(model, [user("scenario:mid-error")])).status).toBe(200);
  });

  test("log a hanging answer, which ends when the model closes", async () => {
    await start();
    const hanging = post(model, [user("scenario:hang")], { stream: true });
    await model.waitFor((request) => request.ended === "hung");
    await Promise.all([expect(hanging).rejects.toThrow("fetch failed"), model.close()]);
  });

  test("answer an unknown scenario with status 400 and the list of known ones", async () => {
    await start();
    const response = await post(model, [user("scenario:nonsense")]);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringMatching(/no scenario "nonsense"; there are text, /) },
    });
    expect(model.requests[0]).toMatchObject({
      kind: "refused",
      status: 400,
      problem: expect.stringContaining("nonsense"),
    });
  });

  test.each([
    ["no JSON", "{"],
    ["no messages", "{}"],
    ["a list", "[]"],
  ])("a body with %s is answered with status 400", async (_what, body) => {
    await start();
    expect((await post(model, [], {}, { body })).status).toBe(400);
    expect(model.requests[0]?.kind).toBe("refused");
  });

  test("a client that disconnects while it sends does no harm", async () => {
    await start();
    const socket = connect(model.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    socket.resume();
    await once(socket, "close");
    expect((await post(model, [user("scenario:text")])).status).toBe(200);
  });
});

describe("other endpoints", () => {
  test("answer greetings, list models, count tokens, and refuse the rest", async () => {
    await start();
    expect((await fetch(model.url, { method: "HEAD" })).status).toBe(200);
    expect((await fetch(`${model.url}/api/hello`)).status).toBe(200);
    const version = { headers: { "anthropic-version": "2023-06-01" } };
    expect(await (await fetch(`${model.url}/v1/models`, version)).json()).toMatchObject({ data: [{ type: "model" }] });
    const counted = await fetch(`${model.url}/v1/messages/count_tokens`, { method: "POST", body: "x".repeat(40) });
    expect(await counted.json()).toEqual({ input_tokens: 10 });
    expect((await fetch(`${model.url}/v2/nothing`)).status).toBe(404);
    expect(model.requests.map((request) => request.kind)).toEqual(["hello", "hello", "models", "count", "refused"]);
  });

  test("answer side requests with a dummy of the requested schema", async () => {
    await start();
    const schema = {
      type: "object",
      properties: { title: { type: "string" }, urgent: { type: "boolean" }, kind: { enum: ["a", "b"] } },
    };
    const response = await post(model, [user("scenario:write")], {
      output_config: { format: { type: "json_schema", schema } },
    });
    const { content } = (await response.json()) as { content: { text: string }[] };
    expect(JSON.parse(content[0]?.text ?? "")).toEqual({ title: "scripted title", urgent: false, kind: "a" });
    expect(model.requests[0]?.kind).toBe("side");
  });

  test("log requests without secrets", async () => {
    await start();
    await post(model, [user("scenario:text")]);
    expect(model.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "[redacted]" },
    });
    expect(JSON.stringify(model.requests)).not.toContain("very-secret");
  });

  test("control the model from another process through /_script", async () => {
    await start();
    const answer = post(model, [user("scenario:late-text")]);
    await model.reached("late");
    const running = (await (await fetch(`${model.url}/_script/requests`)).json()) as unknown[];
    expect(running).toMatchObject([{ scenario: "late-text" }]);
    await fetch(`${model.url}/_script/release/late`, { method: "POST" });
    expect((await answer).status).toBe(200);
    expect(await (await fetch(`${model.url}/_script/scenarios`)).json()).toContainEqual(
      expect.objectContaining({ name: "late-text" }),
    );
    expect((await fetch(`${model.url}/_script/nothing`)).status).toBe(404);
  });

  test("list the received requests when the awaited one does not come", async () => {
    await start();
    await post(model, [user("scenario:text")]);
    await expect(model.waitFor((request) => request.kind === "side", 1)).rejects.toThrow(
      /within 1 ms.*\nPOST .*text 0 1 200 answered/s,
    );
  });
});
