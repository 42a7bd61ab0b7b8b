/** Prompts that are hard to pass on: through the library and through the command. */
import { describe, expect, test } from "vitest";
import type { Prompt } from "../../src/core/api.ts";
import { standIn } from "../stand-ins/stand-in.ts";
import { BadAgent, whole } from "../support/bad-agent.ts";
import { type CommandResult, Place } from "../support/command.ts";
import { expectLawful } from "../support/lawful.ts";
import { nothingLeft } from "../support/leftovers.ts";

const megabytes = 1024 * 1024;

/** The text of each prompt as the agent received it on its wire. */
async function received(agent: BadAgent): Promise<string[]> {
  const [recording] = await agent.recordings();
  return (recording?.entries ?? []).flatMap((entry) => {
    const message = "msg" in entry ? (entry.msg as { type?: string; message?: { content: { text: string }[] } }) : {};
    return message.type === "user" && entry.dir === "in" ? message.message!.content.map(({ text }) => text) : [];
  });
}

describe.concurrent("the library", () => {
  test("refuses an invalid prompt with one sentence and stays usable", async () => {
    await using agent = new BadAgent("good");
    const session = await agent.session();
    const refused: [Prompt, RegExp][] = [
      ["", /^The prompt is empty\.$/],
      [" \n\t", /^The prompt is empty\.$/],
      [{ text: "", attachments: [] }, /^The prompt is empty\.$/],
      [undefined as never, /^A prompt is a text, or an object with one\.$/],
      [7 as never, /^A prompt is a text, or an object with one\.$/],
      [{ text: null } as never, /^A prompt is a text, or an object with one\.$/],
      ["x".repeat(17 * megabytes), /^The prompt has \d+ bytes; at most \d+ are taken\.$/],
    ];
    for (const [prompt, message] of refused) {
      await expect(session.prompt(prompt).result).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringMatching(message),
      });
    }
    expect(await session.prompt("hello").result).toMatchObject({ outcome: "done" });
    expect(await received(agent)).toEqual(["hello"]);
    expectLawful(await whole(session));
  });

  test.each([
    ["that starts with a dash", "--dangerously-skip-permissions -p"],
    ["of ten megabytes", `${"é\n".repeat((10 * megabytes) / 3)}end`],
    ["with every awkward character", 'a\u2028b\u2029c\r\nd\0e"\\\u001b[31mf\ud83d\ude00g\ufeff'],
    ["that looks like the wire protocol", '{"type":"user"}\n{"type":"control_request","request_id":"1"}'],
  ])("passes on a prompt %s unchanged, and never as an argument", async (_what, prompt) => {
    await using agent = new BadAgent("good");
    const session = await agent.session();
    expect(await session.prompt(prompt).result).toMatchObject({ outcome: "done" });
    const [got, ...more] = await received(agent);
    expect(more).toEqual([]);
    // `toBe` would print ten megabytes on failure.
    expect(got === prompt).toBe(true);
    const events = await whole(session);
    expectLawful(events);
    expect(JSON.stringify(events).length).toBeLessThan(0.5 * megabytes);
    const [recording] = await agent.recordings();
    expect(recording?.meta?.args.join(" ")).not.toContain(prompt.slice(0, 20));
  });
});

/** Runs the command with a working Claude Code stand-in and checks that no process is left. */
async function runClaude(args: readonly string[], input: string | Buffer): Promise<CommandResult> {
  using place = new Place();
  const env = { REINS_CLAUDE_COMMAND: standIn("good", { folder: place.home }) };
  const result = await place.run(["run", "-a", "claude", ...args], { input, env });
  await nothingLeft(place.home);
  return result;
}

describe.concurrent("the command", () => {
  test.each([
    ["empty", [""], "", /^reins: The prompt is empty\.\n[^\n]+\n$/],
    ["blank, from stdin", [], " \n\n", /^reins: The prompt is empty\.\n[^\n]+\n$/],
    ["binary", [], Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 255]), /^reins: .+\bbinary\b.+\.\n[^\n]+\n$/],
    ["cut in the middle of a character", [], Buffer.from("é").subarray(0, 1), /^reins: .+\bbinary\b.+\.\n[^\n]+\n$/],
    ["too long", [], "x".repeat(17 * megabytes), /^reins: .+ longer than 16 MiB.+\.\n[^\n]+\n$/],
    ["an unknown option", ["-x"], "", /^reins: Unknown option '-x'\..*\n[^\n]+goes after `--`\.\n$/],
  ] as const)("refuses a prompt that is %s", async (_what, args, input, stderr) => {
    const result = await runClaude(args, input);
    expect(result).toMatchObject({ code: 2, stdout: "" });
    expect(result.stderr).toMatch(stderr);
  });

  test.each([
    ["ten megabytes", [], "x".repeat(10 * megabytes)],
    ["a prompt that starts with a dash", ["--", "-x --json"], ""],
    ["a prompt that starts with a dash, from stdin", [], "--help"],
  ] as const)("passes on %s", async (_what, args, input) => {
    const result = await runClaude(args, input);
    expect(result).toMatchObject({ code: 0, stdout: "I am a stand-in.\n" });
  });
});
