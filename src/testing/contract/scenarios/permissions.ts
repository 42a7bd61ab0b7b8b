/** Tools that wait for a person's permission. */
import { existsSync } from "node:fs";
import type { PermissionReply, PermissionRequest } from "../../../core/api.ts";
import type { Capabilities } from "../../../events/capabilities.ts";
import type { ToolKind } from "../../../events/tools.ts";
import { must, mustBe } from "../check.ts";
import { declared, play, scenario, type CapabilityRow, type ContractScenario } from "../types.ts";

/** True if a person is asked about tools of this kind in mode `ask`. */
export const asks = (can: Capabilities, kind: ToolKind): boolean =>
  can.modes.includes("ask") && (can.hold[kind] === "every" || can.hold[kind] === "unsafe_only");

const askedFirst = (proves: CapabilityRow, id: string, title: string, run: ContractScenario["run"]) =>
  scenario(id, title, { declared: proves, if: (can) => asks(can, "edit") }, run);

/** Answers every permission with `reply`, and collects the requests. */
export function answering(reply: PermissionReply | ((request: PermissionRequest) => PermissionReply)) {
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest): PermissionReply => {
    asked.push(request);
    return typeof reply === "function" ? reply(request) : reply;
  };
  return { asked, tools: () => asked.map(({ tool }) => tool), onPermission };
}

export const permissions: readonly ContractScenario[] = [
  askedFirst("modes.ask", "permission-allowed", "runs a tool only after a person allows it", async (stage) => {
    const { asked, onPermission } = answering(() => {
      must(!existsSync(stage.path("x.txt")), "The file was written before it was allowed.");
      return "allow";
    });
    const player = await stage.session({ mode: "ask", onPermission });
    await player.turn(play("write", "x.txt"));
    mustBe(
      asked.map(({ tool, title }) => ({ tool, title })),
      [{ tool: "write", title: "Write x.txt" }],
      "What was asked",
    );
    mustBe((await player.when("session.started")).mode, "ask", "The mode it shows");
    stage.mustExist("x.txt");
  }),
  askedFirst("afterDeny", "permission-denied", "does not run a tool that a person denies", async (stage) => {
    const { onPermission } = answering({ decision: "deny", message: "Not here." });
    await stage.turn(play("write", "x.txt"), { onPermission });
    stage.mustExist("x.txt", false);
  }),
  askedFirst(
    "changedInput",
    "permission-changed",
    "runs a tool with the input that a person changed",
    async (stage) => {
      const { onPermission } = answering(({ input }) => {
        const changedInput: unknown = JSON.parse(JSON.stringify(input).replaceAll("x.txt", "changed.txt"));
        return { decision: "allow", changedInput };
      });
      await stage.turn(play("write", "x.txt"), { onPermission });
      stage.mustExist("x.txt", false);
      stage.mustExist("changed.txt");
    },
  ),
  askedFirst("allowAlways", "permission-always", "does not ask again after an allow always", async (stage) => {
    const { asked, onPermission } = answering("always");
    const player = await stage.session({ onPermission });
    await player.turn(play("write", "x.txt"));
    await player.turn(play("write", "y.txt"));
    mustBe(asked.length, 1, "How often it asked");
    stage.mustExist("y.txt");
  }),
  askedFirst("always", "permission-unattended", "is denied a permission when nobody can answer", async (stage) => {
    await stage.turn(play("write", "x.txt"));
    stage.mustExist("x.txt", false);
  }),
  askedFirst("always", "permission-timed-out", "is denied a permission when nobody answers in time", async (stage) => {
    const reins = stage.place.reins({ deadlines: { permission: 100 } });
    await (await stage.session({ attended: true }, reins)).turn(play("write", "x.txt"));
    stage.mustExist("x.txt", false);
  }),
  askedFirst("always", "permission-stopped", "ends its turn when a person denies and stops", async (stage) => {
    await stage.turn(play("write", "x.txt"), { onPermission: () => "stop" });
    stage.mustExist("x.txt", false);
  }),
  askedFirst("always", "permission-cancelled", "can be cancelled while it waits for a permission", async (stage) => {
    const player = await stage.session({ attended: true });
    const turn = player.begin(play("write", "x.txt"));
    await player.when("permission.requested");
    await turn.cancel();
    await player.end(turn);
    await player.turn(play("text"));
    stage.mustExist("x.txt", false);
  }),
];

export const asking: readonly ContractScenario[] = [
  declared("questions", "question-answered", "asks a question and uses the answer", async (stage) => {
    const player = await stage.session({
      onQuestion: ({ questions }) =>
        Object.fromEntries(questions.map(({ id, options }) => [id, options.at(-1)?.label ?? "Blue"])),
    });
    await player.turn(play("question"));
    const [requested] = player.all("question.requested");
    mustBe(requested?.questions.length, 1, "The number of questions");
    must(requested?.questions[0]?.text !== "", "The question has no text.");
  }),
  declared("questions", "question-unattended", "continues when nobody can answer its question", async (stage) => {
    await stage.turn(play("question"));
  }),
  ...(
    [
      ["allow", "plan-approved", "approves"],
      ["deny", "plan-rejected", "rejects"],
    ] as const
  ).map(([reply, id, does]) =>
    declared("planApproval", id, `shows its plan before it acts, and a person ${does} it`, async (stage) => {
      const { asked, tools, onPermission } = answering(reply);
      await stage.turn(play("plan"), { mode: "plan", onPermission });
      mustBe(tools(), ["plan"], "What was asked about");
      const { plan } = Object(asked[0]?.input) as { plan?: unknown };
      must(typeof plan === "string" && plan.trim() !== "", "The permission request does not contain the plan.");
    }),
  ),
];
