/** A stored session in which every text field holds hostile text. */
import type { EventPayload } from "../../../src/events/types.ts";
import type { Store } from "../../../src/core/log/types.ts";
import { keep } from "../../support/store.ts";

/** Each text tries to set `window.pwned`, to request the host `evil.example`, or to open a dialog. */
export const hostileTexts: readonly string[] = [
  `<script>window.pwned = "script"; alert(1)</script>`,
  `<img src="https://evil.example/x.png" onerror="window.pwned = 'onerror'">`,
  `<svg onload="window.pwned = 'svg'"><a xlink:href="javascript:window.pwned='xlink'"><text>click</text></a></svg>`,
  `<iframe srcdoc="<script>parent.pwned = 'iframe'</script>"></iframe>`,
  `<form action="https://evil.example/"><button>Allow</button></form>`,
  `<style>body { background: url(https://evil.example/style) }</style>`,
  `</textarea></title></script><script>window.pwned = "closed"</script>`,
  `"><img src=x onerror=alert(1)>`,
  "{{constructor.constructor('window.pwned = 1')()}}",
];

export const hostileLinks = [
  "[a](javascript:window.pwned='link')",
  "[b](JaVaScRiPt:window.pwned='case')",
  "[c](java\tscript:window.pwned='tab')",
  "[d](&#106;avascript:window.pwned='entity')",
  "[e](data:text/html,<script>window.pwned='data'</script>)",
  "[f](vbscript:msgbox(1))",
  "[g](file:///etc/passwd)",
  "<javascript:window.pwned='auto'>",
  "![h](https://evil.example/image.png)",
  "![i](javascript:window.pwned='image')",
  '![j](data:image/svg+xml,<svg onload="window.pwned=1">)',
  "[k]: javascript:window.pwned='reference'\n\n[k]",
  "[evil](https://evil.example/page)",
].join("\n\n");

/** Unfiltered, this file name would be shown as `photo<RTL>gpj.exe`. */
const turnedAround = "photo\u202Egpj.exe\u2066\u2069";
const escapes =
  "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007 \u001b[2J\u001b[H\u009b31m\u0007\u0000";
const all = [...hostileTexts, turnedAround, escapes].join("\n");
/** A fence that never ends, and marks that make careless parsers quadratic. */
const unfinished = `${"[".repeat(3_000)}\n\n${"*_".repeat(3_000)}\n\n${"> ".repeat(500)}deep\n\n\`\`\`html\n${all}`;

export const hugeLine: string = "<b>x</b>".repeat(131_072);

export function keepHostileSession(store: Store, id: string, folder: string): void {
  const [first = ""] = hostileTexts;
  const image = hostileTexts[1] ?? "";
  const path = `src/${image}/${turnedAround}.ts`;
  const diff = `--- a/${path}\n+++ b/${path}\n@@ -1,1 +1,2 @@\n-${first}\n+${image}\n+${escapes}\n`;
  const text = (messageId: string, said: string): EventPayload[] => [
    { type: "message.delta", messageId, text: said.slice(0, 40) },
    { type: "message.delta", messageId, text: said.slice(40) },
    { type: "message.completed", messageId, text: said },
  ];
  const call = (callId: string) =>
    ({
      type: "tool.started",
      callId,
      tool: "shell",
      nativeName: image,
      kind: "execute",
      title: `Run ${all}`,
      input: { command: all, [image]: [first, { deep: all }] },
    }) as const;
  const output = (said: string) => ({ text: said, bytes: Buffer.byteLength(said), kept: Buffer.byteLength(said) });
  keep(
    store,
    id,
    [
      {
        type: "session.started",
        mode: "ask",
        cwd: folder,
        resumed: false,
        state: "demo:1:00000000-0000-4000-8000-00000000000a:1",
        model: image,
        modelLabel: first,
      },
      {
        type: "session.updated",
        title: `${image} ${turnedAround}`,
        by: "agent",
        commands: [{ name: image, description: first }],
      },
      {
        type: "turn.started",
        origin: "prompt",
        input: {
          text: all,
          attachments: [
            { kind: "file", name: image, path: `/${first}` },
            { kind: "image", name: turnedAround, mediaType: image },
          ],
        },
      },
      { type: "thought.completed", messageId: "t1", text: `${all}\n\n${hostileLinks}` },
      ...text("m1", `The hostile words:\n\n${all}\n\n${hostileLinks}\n`),
      ...text("m2", unfinished),
      {
        type: "plan.updated",
        entries: [...hostileTexts, turnedAround, escapes].map((entry) => ({
          text: entry,
          status: "in_progress" as const,
        })),
      },
      call("c1"),
      { type: "tool.progress", callId: "c1", output: all },
      {
        type: "tool.completed",
        callId: "c1",
        output: {
          ...output(all),
          content: [
            { type: "resource", uri: "javascript:window.pwned=1", mediaType: image, text: first },
            { type: "diff", path, diff },
          ],
        },
        exitCode: 1,
      },
      { ...call("c2"), title: "A line of a megabyte" },
      { type: "tool.completed", callId: "c2", output: output(hugeLine) },
      { ...call("c3"), tool: "edit", kind: "edit", title: `Edit ${path}`, locations: [{ path }] },
      {
        type: "permission.requested",
        requestId: "p1",
        callId: "c3",
        tool: "edit",
        title: `Edit ${path}`,
        input: { path },
        reason: all,
        diff,
        options: [{ id: "a", kind: "allow_once", label: image, rule: first }],
      },
      { type: "permission.resolved", requestId: "p1", outcome: "allowed", by: "person", message: all, rule: image },
      { type: "file.changed", path, op: "move", oldPath: `${first}.ts`, diff, added: 2, removed: 1, callId: "c3" },
      { type: "tool.completed", callId: "c3", output: output(first) },
      { ...call("c4"), tool: "task", title: image },
      { ...call("c5"), parent: "c4" },
      { type: "tool.failed", callId: "c5", error: { message: all, code: image }, reason: "error", parent: "c4" },
      { type: "tool.completed", callId: "c4", output: output(all) },
      {
        type: "question.requested",
        requestId: "q1",
        questions: [
          {
            id: "q",
            text: all,
            header: image,
            options: [{ label: image, description: first }],
            multiple: true,
            free: true,
          },
        ],
      },
      { type: "question.resolved", requestId: "q1", outcome: "answered", answers: { q: [image, first] }, by: "person" },
      { type: "task.started", taskId: "k1", kind: "shell", title: all, status: "running" },
      { type: "task.updated", taskId: "k1", status: "failed", summary: all },
      { type: "agent.retrying", attempt: 1, error: { code: "network", message: all, retryable: true, help: image } },
      { type: "limit.updated", window: image, status: "warning", usedPercent: 90, resetsAt: first },
      { type: "notice", level: "error", code: image, message: all },
      { type: "input.added", text: all, how: "steer", attachments: [{ kind: "file", name: image }] },
      ...text("m3", hugeLine),
      {
        type: "turn.completed",
        outcome: "failed",
        error: { code: "agent_crashed", message: all, retryable: false, help: `${image} ${hostileLinks}` },
        text: hugeLine.slice(0, 100),
        durationMs: 1,
        toolCalls: 4,
        filesChanged: [path],
      },
      { type: "process.exited", code: 1, signal: null, stderrTail: all },
      ...([
        { type: "turn.started", origin: "prompt", input: { text: "The last prompt of a hostile session" } },
        ...text("m4", "Nothing happened."),
        {
          type: "turn.completed",
          outcome: "done",
          text: "Nothing happened.",
          durationMs: 1,
          toolCalls: 0,
          filesChanged: [],
        },
      ] as EventPayload[]),
    ],
    { cwd: folder },
  );
}
