import { expect, test } from "vitest";
import { only } from "../../../test/support/drive.ts";
import { nativePlace } from "../../../test/support/native.ts";
import { scenarioPrompt } from "../../testing/index.ts";

test("reports a server that does not start, and continues without it", async () => {
  const { open } = await nativePlace();
  const { drive } = await open({
    mcpServers: { missing: { command: "no-such-program" }, dead: { type: "http", url: "http://127.0.0.1:1/mcp" } },
  });
  const events = await drive.turn(scenarioPrompt("text"));
  expect(
    only(events, "notice")
      .map(({ code, message }) => `${code}: ${message}`)
      .sort(),
  ).toEqual([
    expect.stringMatching(/^divergence: The MCP server dead did not start: /),
    expect.stringMatching(/^divergence: The MCP server missing did not start: .*no-such-program/),
  ]);
  expect(events.at(-1)).toMatchObject({ outcome: "done" });
});

test("reports a server that prints garbage and dies with its stderr, and leaves nothing", async () => {
  const { open } = await nativePlace();
  const script = "console.log('not a message'); console.error('no licence'); process.exit(1)";
  const { drive } = await open({ mcpServers: { bad: { command: process.execPath, args: ["-e", script] } } });
  const events = await drive.turn(scenarioPrompt("text"));
  expect(only(events, "notice")).toMatchObject([
    { message: expect.stringMatching(/bad did not start: .*no licence/) as string },
  ]);
});
