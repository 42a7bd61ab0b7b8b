import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/support/processes.ts";
import { createRedactor } from "../../events/redact.ts";
import { readRecording, TerminalRecorder } from "./recording.ts";

function recorderIn(folder: string, longestBytes?: number): { recorder: TerminalRecorder; path: string } {
  const path = join(folder, "one.cast");
  const redact = createRedactor({ MY_TOKEN: "correct-horse-battery-staple" });
  let now = 5_000;
  const options = { columns: 80, rows: 24, startedAt: 5_000, title: "program", longestBytes };
  return { recorder: new TerminalRecorder({ path, redact, now: () => (now += 250), ...options }), path };
}

test("reads back output, sizes, notes and the exit", () => {
  using folder = temporaryFolder();
  const { recorder, path } = recorderIn(folder.path);
  const [first, second] = [Buffer.from("caf\u00e9").subarray(0, 4), Buffer.from("caf\u00e9").subarray(4)];
  recorder.output(first);
  recorder.output(second);
  recorder.resize(100, 30);
  recorder.note("detached");
  recorder.output(Buffer.from("\x1b[31mlast"));
  recorder.close(3);
  recorder.close(4);
  recorder.output(Buffer.from("too late"));
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readRecording(path)).toEqual({
    ...{ columns: 80, rows: 24, startedAt: 5_000, title: "program" },
    events: [
      { time: 0.25, kind: "output", text: "caf\u00e9" },
      { time: 0.5, kind: "resize", text: "100x30" },
      { time: 0.75, kind: "note", text: "detached" },
      { time: 1, kind: "output", text: "\x1b[31mlast" },
      { time: 1.25, kind: "exit", text: "3" },
    ],
  });
});

test("counts viewers that come and go without output in between, instead of recording each one", () => {
  using folder = temporaryFolder();
  const { recorder, path } = recorderIn(folder.path);
  for (let index = 0; index < 500; index++) recorder.note(index % 2 === 0 ? "detached" : "attached");
  recorder.output(Buffer.from("more"));
  recorder.note("detached");
  recorder.close(0);
  expect(readRecording(path).events.map(({ text }) => text)).toEqual([
    ...["detached", "attached", "498 more notes of the same kind", "more", "detached", "0"],
  ]);
});

test("does not record a secret, even when it arrives in pieces", () => {
  using folder = temporaryFolder();
  const { recorder, path } = recorderIn(folder.path);
  for (const piece of ["the key: correct-ho", "rse-battery-", "staple!"]) recorder.output(Buffer.from(piece));
  recorder.close(0);
  const content = readFileSync(path, "utf8");
  expect(content).toContain("the key: ");
  expect(content).not.toContain("battery");
});

test("stops an overlong recording with a note and still records the exit", () => {
  using folder = temporaryFolder();
  const { recorder, path } = recorderIn(folder.path, 1_000);
  for (let index = 0; index < 20; index++) {
    recorder.output(Buffer.from("x".repeat(200)));
    recorder.note("flush");
  }
  recorder.close(0);
  expect(statSync(path).size).toBeLessThan(1_200);
  expect(readRecording(path).events.slice(-2)).toMatchObject([
    { kind: "note", text: "The recording is full; later output is not recorded." },
    { kind: "exit", text: "0" },
  ]);
});

test("counts the escaped length of control characters against the limit", () => {
  using folder = temporaryFolder();
  const { recorder, path } = recorderIn(folder.path, 1_000);
  recorder.output(Buffer.from("\x1b".repeat(900)));
  recorder.close(0);
  expect(statSync(path).size).toBeLessThan(300);
});

test("refuses a file that is no recording, and skips invalid lines", () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "other.cast");
  expect(() => readRecording(path)).toThrow("cannot be read");
  for (const content of [
    "",
    "hello",
    "{}",
    '{"version":3,"width":80,"height":24}',
    '{"version":2,"width":0,"height":1}',
  ]) {
    writeFileSync(path, content);
    expect(() => readRecording(path)).toThrow("is not a terminal recording");
  }
  writeFileSync(
    path,
    '{"version":2,"width":80,"height":24}\n[1,"o","a"]\n{}\n[1,"i","key"]\n["1","o","b"]\n[2,"o",3]\n[0',
  );
  expect(readRecording(path).events).toEqual([{ time: 1, kind: "output", text: "a" }]);
});
