import { describe, expect, test, vi } from "vitest";
import { gifOf, jpegOf, pngOf } from "../../../test/support/images.ts";
import { imageFacts } from "./image-file.ts";
import { ImageLoader } from "./image-loader.ts";
import { imageProtocol } from "./protocol.ts";
import { imageCells, TerminalImage } from "./terminal-image.ts";

const screen = { columns: 80, rows: 24 };

test.each([
  [{ TERM: "xterm-kitty" }, "kitty"],
  [{ TERM: "xterm-256color", KITTY_WINDOW_ID: "1" }, "kitty"],
  [{ TERM: "xterm-ghostty", TERM_PROGRAM: "ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "ghostty" }, "kitty"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "WezTerm" }, "iterm2"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" }, "iterm2"],
  [{ TERM: "xterm-256color", LC_TERMINAL: "iTerm2" }, "iterm2"],
  [{ TERM: "xterm-256color", KONSOLE_VERSION: "220401" }, "kitty"],
  [{ TERM: "xterm-256color", KONSOLE_VERSION: "211200" }, undefined],
  [{ TERM: "xterm-kitty", NO_COLOR: "1" }, "kitty"],
  // Started from kitty, but inside another terminal.
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode", KITTY_WINDOW_ID: "1" }, undefined],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "constructor" }, undefined],
  [{ TERM: "tmux-256color", TMUX: "/tmp/tmux,1,0", KITTY_WINDOW_ID: "1" }, undefined],
  [{ TERM: "tmux-256color", KITTY_WINDOW_ID: "1" }, undefined],
  [{ TERM: "screen", TERM_PROGRAM: "iTerm.app" }, undefined],
  [{ TERM: "xterm-kitty", ZELLIJ: "0" }, undefined],
  [{ TERM: "xterm-256color" }, undefined],
  [{ TERM: "dumb" }, undefined],
  [{}, undefined],
])("the protocol for %j is %s", (env, expected) => {
  expect(imageProtocol(env)).toBe(expected);
});

describe("imageFacts", () => {
  test.each([
    ["png", pngOf(640, 480)],
    ["gif", gifOf(640, 480)],
    ["jpeg", jpegOf(640, 480)],
  ] as const)("reads %s", (type, bytes) => {
    expect(imageFacts(bytes)).toEqual({ type, width: 640, height: 480 });
    for (let length = 0; length < 13; length++) expect(imageFacts(bytes.subarray(0, length))).toBeUndefined();
  });

  test("reads an image in the middle of a larger buffer", () => {
    const whole = Buffer.concat([Buffer.from("before"), pngOf(2, 3)]);
    expect(imageFacts(whole.subarray(6))).toMatchObject({ width: 2, height: 3 });
  });

  const badLength = jpegOf(1, 1);
  badLength.writeUInt16BE(0, 4);
  const noHeader = pngOf(1, 1);
  noHeader.write("JUNK", 12);
  test.each([
    ["nothing", Buffer.alloc(0)],
    ["text", Buffer.from("\x1b_Ga=d\x1b\\ ".repeat(20))],
    ["no width", pngOf(0, 10)],
    ["too many pixels", pngOf(10_000, 5_001)],
    ["the maximum size of a header", pngOf(0xffffffff, 0xffffffff)],
    ["another first chunk", noHeader],
    ["a JPEG with an empty segment", badLength],
    ["a JPEG without a frame", Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.alloc(100_000, 0xff)])],
    ["a GIF with an unknown version", Buffer.from("GIF00a\x01\x00\x01\x00\x00\x00\x00")],
    ["WebP", Buffer.from("RIFF\x00\x00\x00\x00WEBPVP8 ................")],
  ])("rejects %s", (_, bytes) => {
    expect(imageFacts(bytes)).toBeUndefined();
    expect(TerminalImage.from(bytes, "iterm2", screen)).toBeUndefined();
  });
});

test.each([
  [90, 90, 80, 24, { columns: 10, rows: 5 }],
  [1, 1, 80, 24, { columns: 1, rows: 1 }],
  [7_200, 3_600, 80, 60, { columns: 80, rows: 20 }],
  [1_000, 10_000, 80, 24, { columns: 2, rows: 12 }],
  [50_000_000, 1, 80, 24, { columns: 80, rows: 1 }],
  [1, 50_000_000, 80, 24, { columns: 1, rows: 12 }],
  [640, 480, 1, 1, { columns: 1, rows: 1 }],
  [640, 480, -3, 0, { columns: 1, rows: 1 }],
])("fits %i x %i pixels on a screen of %i x %i", (width, height, columns, rows, expected) => {
  expect(imageCells({ width, height }, { columns, rows })).toEqual(expected);
});

describe("sequences", () => {
  test("kitty: sends pieces of 4096 that join to the file, and only PNG", () => {
    const bytes = pngOf(90, 90, 10_000);
    const { output, rows } = TerminalImage.from(bytes, "kitty", screen, 2)!;
    expect(rows).toBe(5);
    const pieces = [...output.matchAll(/\x1b_G([^;]*);([^\x1b]*)\x1b\\/g)];
    expect(pieces.map(([, keys]) => keys)).toEqual([
      "a=T,f=100,t=d,c=10,r=5,C=1,q=2,m=1",
      ...Array.from({ length: pieces.length - 2 }, () => "q=2,m=1"),
      "q=2,m=0",
    ]);
    expect(pieces.every(([, , data]) => data!.length <= 4096)).toBe(true);
    expect(Buffer.from(pieces.map(([, , data]) => data).join(""), "base64").equals(bytes)).toBe(true);
    const down = "\r\n".repeat(5);
    expect(output.replace(/\x1b_G.*\x1b\\/s, "IMAGE")).toBe(`${down}\x1b[5A\x1b[2CIMAGE${down}`);
    expect(TerminalImage.from(jpegOf(9, 9), "kitty", screen)).toBeUndefined();
    expect(TerminalImage.from(gifOf(9, 9), "kitty", screen)).toBeUndefined();
  });

  test("kitty: sends a small file in one piece", () => {
    expect(TerminalImage.from(pngOf(9, 18), "kitty", screen)!.output).toContain("c=1,r=1,C=1,q=2,m=0;");
  });

  test.each([pngOf(90, 90), jpegOf(90, 90), gifOf(90, 90)])(
    "iTerm2: sends one string and restores the cursor",
    (bytes) => {
      const keys = `inline=1;size=${bytes.length};width=10;height=5;preserveAspectRatio=1`;
      const down = "\r\n".repeat(5);
      expect(TerminalImage.from(bytes, "iterm2", screen)!.output).toBe(
        `${down}\x1b[5A\x1b7\x1b]1337;File=${keys}:${bytes.toString("base64")}\x07\x1b8${down}`,
      );
    },
  );

  test("refuses more than 5 MB", () => {
    expect(TerminalImage.from(pngOf(9, 9, 5_000_001), "kitty", screen)).toBeUndefined();
  });
});

describe("loading", () => {
  const opened = (content: (ref: string) => Promise<Uint8Array | undefined>) => {
    const loaded = vi.fn<() => void>();
    return { loaded, loader: new ImageLoader({ content, file: async () => undefined, loaded }) };
  };

  test("loads once per location and drops the bytes when taken", async () => {
    const content = vi.fn<(ref: string) => Promise<Uint8Array>>(async () => pngOf(1, 1));
    const { loader, loaded } = opened(content);
    expect([loader.isReady({ ref: "a" }), loader.isReady({ ref: "a" })]).toEqual([false, false]);
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce());
    expect(loader.isReady({ ref: "a" })).toBe(true);
    expect(content).toHaveBeenCalledOnce();
    expect(loader.take({ ref: "a" })).toEqual(pngOf(1, 1));
    expect(loader.take({ ref: "a" })).toBeUndefined();
  });

  test("reports an unreadable image as ready without bytes", async () => {
    const { loader, loaded } = opened(() => Promise.reject(new Error("gone")));
    loader.isReady({ ref: "a" });
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledOnce());
    expect(loader.isReady({ ref: "a" })).toBe(true);
    expect(loader.take({ ref: "a" })).toBeUndefined();
  });

  test("does not wait forever for an image that never arrives", () => {
    vi.useFakeTimers();
    try {
      const { loader, loaded } = opened(() => new Promise(() => undefined));
      loader.isReady({ ref: "a" });
      vi.advanceTimersByTime(60_000);
      expect(loaded).toHaveBeenCalledOnce();
      expect(loader.isReady({ ref: "a" })).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  test("decodes base64 of the conversation, whatever it is", () => {
    const { loader } = opened(async () => undefined);
    expect(loader.isReady({ data: "x" })).toBe(true);
    expect(loader.take({ data: pngOf(1, 1).toString("base64") })).toEqual(pngOf(1, 1));
    expect(loader.take({ data: "\x1b\\\x07 not base64" })).toBeInstanceOf(Buffer);
    expect(loader.take({ data: "A".repeat(8_000_000) })).toBeUndefined();
  });
});
