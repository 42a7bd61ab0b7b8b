/** Images on the inline screen: they take their rows, and everything around them is printed once. */
import { expect, test, vi } from "vitest";
import { expectByteLaw } from "../../../test/support/byte-law.ts";
import { pngOf } from "../../../test/support/images.ts";
import { quietApp } from "../../../test/support/quiet-app.ts";
import { ended, inTurn, prompted, said } from "../../../test/support/transcript.ts";
import { XtermPort } from "../../../test/support/xterm-port.ts";
import type { Content, EventPayload } from "../../events/types.ts";
import { InlineScreen } from "../screen/inline-screen.ts";
import type { TuiHost } from "./host.ts";

const kitty = { TERM: "xterm-kitty" };
const iterm = { TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" };
const image = (bytes: Buffer, more: object = {}): Content => ({
  ...{ type: "image", mediaType: "image/png", data: bytes.toString("base64"), bytes: bytes.length, ...more },
});
const shot = (...content: Content[]): EventPayload[] => [
  {
    type: "tool.started",
    callId: "c",
    tool: "other",
    nativeName: "shot",
    kind: "other",
    title: "Take a picture",
    input: {},
  },
  { type: "tool.completed", callId: "c", output: { text: "", bytes: 0, kept: 0, content }, durationMs: 1 },
];

function opened(events: readonly EventPayload[], host: Partial<TuiHost>, ui: Parameters<typeof quietApp>[0] = {}) {
  const port = new XtermPort({ columns: 80, rows: 24 });
  const app = quietApp({ screen: "inline", ...ui }, host);
  const screen = new InlineScreen(port, { reflow: "xterm.js" });
  screen.start();
  for (const event of inTurn(...events)) app.sessions.active.apply(event);
  const draw = async (): Promise<readonly string[]> => {
    const { print, ...drawn } = app.inlineFrame(port);
    screen.commit(print);
    screen.draw(drawn);
    await port.settle();
    return port.lines();
  };
  return { app, port, draw };
}

const drawn = (port: XtermPort): number => port.log.join("").split(/\x1b_Ga=T|\x1b\]1337;File=/).length - 1;

test.each([
  ["kitty", kitty],
  ["iTerm2", iterm],
])("%s: prints an image in exactly its rows, and each line around it once", async (_, env) => {
  const { port, draw } = opened(
    [prompted, said("Before.", "m1"), ...shot(image(pngOf(90, 90))), said("After.", "m2"), ended()],
    { env },
  );
  const lines = await draw();
  const caption = lines.findIndex((line) => line.includes("Image (image/png · 90×90 · 1 kB)"));
  expect(lines[caption - 1]).toContain("Take a picture");
  // Five rows of the image, and the gap before the message.
  expect(lines.slice(caption + 1, caption + 7)).toEqual(["", "", "", "", "", ""]);
  expect(lines[caption + 7]).toContain("After.");
  await draw();
  await port.resize(60, 20);
  const later = await draw();
  for (const words of ["Before.", "Take a picture", "Image (", "After."])
    expect(later.filter((line) => line.includes(words))).toHaveLength(1);
  expect(drawn(port)).toBe(1);
  expectByteLaw(port);
});

test("prints many images, more than the screen is high, each below its own line", async () => {
  const images = Array.from({ length: 6 }, (_, at) => image(pngOf(90, 18 * (at + 1))));
  const { port, draw } = opened([prompted, ...shot(...images), said("After.", "m2"), ended()], { env: kitty });
  const lines = await draw();
  const captions = lines.flatMap((line, at) => (line.includes("Image (") ? [at] : []));
  expect(captions.slice(1).map((at, index) => at - captions[index]!)).toEqual([2, 3, 4, 5, 6]);
  expect(lines[captions.at(-1)! + 8]).toContain("After.");
  expect(drawn(port)).toBe(6);
  expectByteLaw(port);
});

test("loads attached and stored images first, and keeps the order", async () => {
  const file = Promise.withResolvers<Uint8Array | undefined>();
  const readFile = vi.fn<TuiHost["readFile"]>(() => file.promise);
  const content = vi.fn<(ref: string) => Promise<Uint8Array>>(async () => pngOf(90, 90));
  const open = async () => ({ reins: { sessions: { content } } as never, served: false });
  const input = { text: "Look", attachments: [{ kind: "image" as const, name: "a.png", path: "a.png" }] };
  const { port, draw } = opened(
    [
      { type: "turn.started", origin: "prompt", input },
      ...shot(image(pngOf(1, 1), { data: undefined, ref: "sha256:1" })),
      said("After.", "m2"),
      ended(),
    ],
    { env: kitty, open, readFile },
  );
  await draw();
  expect(drawn(port)).toBe(0);
  file.resolve(pngOf(90, 36));
  const lines = await vi.waitFor(async () => {
    const all = await draw();
    expect(drawn(port)).toBe(2);
    return all;
  });
  const at = lines.findIndex((line) => line.includes("attached: a.png"));
  expect(lines[at + 4]).toContain("Take a picture");
  expect(lines.filter((line) => line.includes("After."))).toHaveLength(1);
  expect(readFile).toHaveBeenCalledOnce();
  expect(content.mock.calls).toEqual([["sha256:1"]]);
});

test.each([
  ["another terminal", { env: { TERM: "xterm-256color" } }, {}],
  ["tmux", { env: { ...kitty, TMUX: "/tmp/x" } }, {}],
  ["ui.images: off", { env: kitty }, { images: "off" as const }],
])("%s: only names the image", async (_, host, ui) => {
  const { port, draw } = opened([prompted, said("Before.", "m1"), ...shot(image(pngOf(90, 90)))], host, ui);
  await draw();
  expect(drawn(port)).toBe(0);
});

test("keeps escape sequences in messages, names and image data as text", async () => {
  const bad = "\x1b_Ga=T,f=100;AAAA\x1b\\\x1b]1337;File=inline=1:AAAA\x07\x9fGa=d\x9c";
  const fakes = [
    image(Buffer.from(bad)),
    image(pngOf(1, 1), { data: bad, mediaType: bad }),
    image(pngOf(0, 1)),
    image(pngOf(9, 9), { data: `${pngOf(9, 9).toString("base64")}${bad}` }),
  ];
  const { port, draw } = opened(
    [
      { ...prompted, input: { text: bad } } as EventPayload,
      said(bad, "m1"),
      ...shot(...fakes),
      said(bad, "m2"),
      ended(),
    ],
    { env: kitty },
  );
  await draw();
  // The last one begins like an image: its data is decoded to bytes like the rest.
  expect(drawn(port)).toBe(1);
  expectByteLaw(port);
  expect(port.log.join("")).not.toContain("1337");
});

test("names the image in the full screen and says where it is drawn", () => {
  const app = quietApp({ screen: "full" }, { env: kitty });
  const message = {
    type: "message.completed",
    messageId: "m",
    text: "See",
    content: [image(pngOf(90, 90))],
  } as EventPayload;
  for (const event of inTurn(prompted, message)) app.sessions.active.apply(event);
  const rows = app.frame({ columns: 80, rows: 24 }).rows.join("\n");
  expect(rows).toContain("Image (image/png · 90×90 · 1 kB) · /inline draws it");
  expect(rows).not.toContain("\x1b_");
  app.stop();
});
