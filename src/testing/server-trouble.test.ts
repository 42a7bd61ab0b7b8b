import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { events, post, stream, textOf, user } from "../../test/support/messages-client.ts";
import { startScriptedModel, type ScriptedModel } from "./server.ts";

let model: ScriptedModel;
afterEach(() => model.close());

const start = async () => (model = await startScriptedModel({ cwd: "/work space" }));

describe("trouble", () => {
  test("errors have status, body and headers of the service", async () => {
    await start();
    const response = await post(model, [user("scenario:quota")], { stream: true });
    expect(response.status).toBe(429);
    expect(response.headers.get("retry-after")).toBe("3600");
    expect(response.headers.get("anthropic-ratelimit-unified-status")).toBe("rejected");
    expect(await response.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(model.requests[0]).toMatchObject({ ended: "error", status: 429 });
  });

  test("happens as often as it says, per conversation", async () => {
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

  test("a cut kills the connection in the middle of a block", async () => {
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

  test("an error inside a stream ends it; a whole answer has none", async () => {
    await start();
    const list = await stream(model, "scenario:mid-error");
    expect(list.at(-1)).toMatchObject({ type: "error", error: { type: "overloaded_error" } });
    expect((await post(model, [user("scenario:mid-error")])).status).toBe(200);
  });

  test("a hanging answer is logged, and closing the model ends it", async () => {
    await start();
    const hanging = post(model, [user("scenario:hang")], { stream: true });
    await model.waitFor((request) => request.ended === "hung");
    await Promise.all([expect(hanging).rejects.toThrow("fetch failed"), model.close()]);
  });

  test("an unknown scenario is a 400 that names those there are, and is logged", async () => {
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
  ])("a body with %s is a 400", async (_what, body) => {
    await start();
    expect((await post(model, [], {}, { body })).status).toBe(400);
    expect(model.requests[0]?.kind).toBe("refused");
  });

  test("a client that leaves while it sends harms nobody", async () => {
    await start();
    const socket = connect(model.port, "127.0.0.1");
    await once(socket, "connect");
    socket.end("POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{");
    socket.resume();
    await once(socket, "close");
    expect((await post(model, [user("scenario:text")])).status).toBe(200);
  });
});

describe("the rest of the service", () => {
  test("greets, lists models, counts tokens, and knows nothing else", async () => {
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

  test("answers an agent's own requests with a dummy of the wanted shape", async () => {
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

  test("logs requests without their secrets", async () => {
    await start();
    await post(model, [user("scenario:text")]);
    expect(model.requests[0]).toMatchObject({
      method: "POST",
      path: "/v1/messages?beta=true",
      headers: { "x-api-key": "[redacted]" },
    });
    expect(JSON.stringify(model.requests)).not.toContain("very-secret");
  });

  test("is steered from another process through /_script", async () => {
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

  test("tells what came when a request does not", async () => {
    await start();
    await post(model, [user("scenario:text")]);
    await expect(model.waitFor((request) => request.kind === "side", 1)).rejects.toThrow(
      /within 1 ms.*\nPOST .*text 0 1 200 answered/s,
    );
  });
});
