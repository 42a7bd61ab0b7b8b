import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readPrompt } from "./prompt.ts";

function source(...chunks: (string | Buffer)[]) {
  const said: string[] = [];
  const stdin = Object.assign(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), { isTTY: false });
  return { stdin, said, say: (line: string) => void said.push(line) };
}

/** A pipe that stays open and silent. */
function silent() {
  return { ...source(), stdin: Object.assign(new Readable({ read: () => undefined }), { isTTY: false }), patience: 5 };
}

function terminal() {
  const { said, say } = source();
  return { said, say, stdin: Object.assign(Readable.from([Buffer.from("typed")]), { isTTY: true }) };
}

describe("readPrompt", () => {
  it("joins the words", async () => {
    await expect(readPrompt(["fix", "the bug"], terminal())).resolves.toBe("fix the bug");
  });

  it("reads stdin when there are no words, or only a dash", async () => {
    await expect(readPrompt([], source("from ", "a pipe"))).resolves.toBe("from a pipe");
    await expect(readPrompt(["-"], source("from a pipe"))).resolves.toBe("from a pipe");
  });

  it("joins words and stdin, the words first", async () => {
    await expect(readPrompt(["review this"], source("diff"))).resolves.toBe("review this\n\ndiff");
  });

  it("reads from the terminal without words or stdin, and says how to end the input", async () => {
    const person = terminal();
    await expect(readPrompt([], person)).resolves.toBe("typed");
    expect(person.said).toEqual(["Type the prompt and end it with Ctrl-D."]);
  });

  it("continues without a silent pipe, and says so", async () => {
    const pipe = silent();
    await expect(readPrompt(["fix it"], pipe)).resolves.toBe("fix it");
    expect(pipe.said).toHaveLength(1);
  });

  it("reads ten megabytes, also when chunks split multi-byte characters", async () => {
    const text = "é".repeat(5 * 1024 * 1024);
    const bytes = Buffer.from(text);
    const prompt = await readPrompt([], source(bytes.subarray(0, 1001), bytes.subarray(1001)));
    expect(prompt === text).toBe(true);
  });

  it.each([
    ["a NUL byte", Buffer.from([104, 0, 105])],
    ["invalid UTF-8", Buffer.from([0xff, 0xfe, 0xfd])],
  ])("rejects binary input: %s", async (_name, bytes) => {
    await expect(readPrompt([], source(bytes))).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("binary"),
    });
  });

  it.each([[["", "  "]], [["-"]], [[]]])("rejects an empty prompt: %j", async (words: string[]) => {
    await expect(readPrompt(words, source(" \n"))).rejects.toMatchObject({
      code: "invalid_input",
      message: "The prompt is empty.",
    });
  });

  it("rejects a prompt that is too long", async () => {
    const endless = { ...source(), stdin: Object.assign(Readable.from(yes()), { isTTY: false }) };
    await expect(readPrompt([], endless)).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("16 MiB"),
    });
  });
});

function* yes(): Generator<Buffer> {
  const chunk = Buffer.alloc(1024 * 1024, "y\n");
  for (;;) yield chunk;
}
