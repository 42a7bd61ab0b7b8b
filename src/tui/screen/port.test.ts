import { PassThrough, Writable } from "node:stream";
import { expect, test } from "vitest";
import { FullScreen } from "./full-screen.ts";
import { processPort } from "./port.ts";

/** A terminal that accepts output only when it is told to. */
function slowTerminal() {
  const taken: string[] = [];
  let take = (): void => {};
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      taken.push(chunk.toString());
      take = done;
    },
  });
  const stdin = new PassThrough();
  const port = processPort({ stdin, stdout } as unknown as Parameters<typeof processPort>[0]);
  return { port, stdin, taken, take: () => take() };
}

test("joins a character that is split between two reads at any place", async () => {
  const typed = Buffer.from("аб漢👩");
  const { port, stdin } = slowTerminal();
  let got = "";
  let check = (): void => {};
  port.onData((text) => {
    got += text;
    check();
  });
  for (let at = 0; at <= typed.length; at++) {
    got = "";
    const whole = new Promise<void>((resolve) => {
      check = () => got.length === typed.toString().length && resolve();
    });
    stdin.write(typed.subarray(0, at));
    stdin.write(typed.subarray(at));
    await whole;
    expect(got).toBe(typed.toString());
  }
});

test("sends only the last frame to a terminal that was blocked for a while", async () => {
  const { port, taken, take } = slowTerminal();
  const screen = new FullScreen(port);
  screen.start();
  const rows = (frame: number) => Array.from({ length: 24 }, () => `${frame} `.repeat(20));
  for (let frame = 0; frame < 2_000; frame++) screen.draw({ rows: rows(frame) });
  expect(port.pending).toBeLessThan(300 * 1024);
  const shown = (): boolean => taken.at(-1)!.includes("1999 ");
  for (let turn = 0; turn < 10_000 && !shown(); turn++) {
    take();
    await new Promise(setImmediate);
  }
  expect(shown()).toBe(true);
  expect(taken.length).toBeLessThan(1_000);
});
