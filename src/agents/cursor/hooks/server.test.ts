import { request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/support/processes.ts";
import { serveHooks, type HookAnswer } from "./server.ts";

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly token?: string;
  readonly body?: string;
}

async function server(onHook: () => Promise<HookAnswer>) {
  const folder = temporaryFolder();
  const served = await serveHooks({ folder: folder.path, token: "right", mostBytes: 100, onHook });
  const ask = async ({ path = "/preToolUse", method = "POST", token = "right", body = "{}" }: Asked) => {
    const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number | undefined; said: string }>();
    const asked = request({ socketPath: served.address, path, method, headers }, (response) => {
      void text(response).then((said) => resolve({ status: response.statusCode, said }));
    });
    asked.on("error", reject);
    asked.end(body);
    return promise;
  };
  return { ask, [Symbol.asyncDispose]: () => served.close().finally(() => folder[Symbol.dispose]()) };
}

test.each<[Asked, number]>([
  [{ token: "wrong" }, 401],
  [{ token: "right, but longer" }, 401],
  [{ token: "" }, 401],
  [{ body: "x".repeat(200) }, 413],
  [{ method: "GET", body: "" }, 404],
  [{ path: "/unknown" }, 404],
  [{}, 200],
])("answers %j with %d", async (asked, status) => {
  await using at = await server(async () => ({ permission: "allow" }));
  expect((await at.ask(asked)).status).toBe(status);
});

test.each<[HookAnswer, string]>([
  [{ permission: "deny", user_message: "No." }, "No."],
  [{ continue: false }, "Reins does not allow it."],
])("puts the reason of the denial %j on its own line", async (answer, why) => {
  await using at = await server(async () => answer);
  expect(await at.ask({})).toEqual({ status: 403, said: `${JSON.stringify(answer)}\n${why}` });
});

test("reports a hook that cannot be answered as a server error", async () => {
  await using at = await server(() => Promise.reject(new Error("Broken.")));
  expect(await at.ask({})).toEqual({ status: 500, said: "" });
});
