/** A tool that waits for a person. */
import { existsSync } from "node:fs";
import type { PermissionReply, PermissionRequest } from "../../../core/api.ts";
import type { Capabilities } from "../../../events/capabilities.ts";
import type { ToolKind } from "../../../events/tools.ts";
import { must, mustBe } from "../check.ts";
import { play } from "../types.ts";
import type { ContractScenario } from "../types.ts";

/** In mode `ask` a person is asked about tools of this kind. */
export const asks = (can: Capabilities, kind: ToolKind): boolean =>
  can.modes.includes("ask") && (can.hold[kind] === "every" || can.hold[kind] === "unsafe_only");

const declared = (can: Capabilities): boolean => asks(can, "edit");

/** An answer to every permission, and what was asked. */
export function answering(reply: PermissionReply | ((request: PermissionRequest) => PermissionReply)) {
  const asked: PermissionRequest[] = [];
  const onPermission = (request: PermissionRequest): PermissionReply => {
    asked.push(request);
    return typeof reply === "function" ? reply(request) : reply;
  };
  return { asked, onPermission };
}

export const permissions: readonly ContractScenario[] = [
  {
    id: "permission-allowed",
    title: "does what a person allows, and only then",
    proves: ["modes.ask"],
    declared,
    async run(stage) {
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
    },
  },
  {
    id: "permission-denied",
    title: "does not do what a person denies",
    proves: ["afterDeny"],
    declared,
    async run(stage) {
      const { onPermission } = answering({ decision: "deny", message: "Not here." });
      await (await stage.session({ onPermission })).turn(play("write", "x.txt"));
      stage.mustExist("x.txt", false);
    },
  },
  {
    id: "permission-changed",
    title: "runs a tool with the input that a person changed",
    proves: ["changedInput"],
    declared: (can) => declared(can) && can.changedInput,
    async run(stage) {
      const { onPermission } = answering(({ input }) => {
        const changedInput: unknown = JSON.parse(JSON.stringify(input).replaceAll("x.txt", "changed.txt"));
        return { decision: "allow", changedInput };
      });
      await (await stage.session({ onPermission })).turn(play("write", "x.txt"));
      stage.mustExist("x.txt", false);
      stage.mustExist("changed.txt");
    },
  },
  {
    id: "permission-always",
    title: "asks once about what is allowed for good",
    proves: ["allowAlways"],
    declared: (can) => declared(can) && can.allowAlways,
    async run(stage) {
      const { asked, onPermission } = answering("always");
      const player = await stage.session({ onPermission });
      await player.turn(play("write", "x.txt"));
      await player.turn(play("write", "y.txt"));
      mustBe(asked.length, 1, "How often it asked");
      stage.mustExist("y.txt");
    },
  },
  {
    id: "permission-unattended",
    title: "is denied what nobody is there to allow",
    proves: ["always"],
    declared,
    async run(stage) {
      await (await stage.session()).turn(play("write", "x.txt"));
      stage.mustExist("x.txt", false);
    },
  },
  {
    id: "permission-timed-out",
    title: "is denied what nobody answers in time",
    proves: ["always"],
    declared,
    async run(stage) {
      const reins = stage.place.reins({ deadlines: { permission: 100 } });
      await (await stage.session({ attended: true }, reins)).turn(play("write", "x.txt"));
      stage.mustExist("x.txt", false);
    },
  },
  {
    id: "permission-stopped",
    title: "ends its turn when a person says stop",
    proves: ["always"],
    declared,
    async run(stage) {
      await (await stage.session({ onPermission: () => "stop" })).turn(play("write", "x.txt"));
      stage.mustExist("x.txt", false);
    },
  },
  {
    id: "permission-cancelled",
    title: "can be cancelled while it waits for a permission",
    proves: ["always"],
    declared,
    async run(stage) {
      const player = await stage.session({ attended: true });
      const turn = player.begin(play("write", "x.txt"));
      await player.when("permission.requested");
      await turn.cancel();
      await player.end(turn);
      await player.turn(play("text"));
      stage.mustExist("x.txt", false);
    },
  },
];

export const asking: readonly ContractScenario[] = [
  {
    id: "question-answered",
    title: "asks a question, and takes the answer",
    proves: ["questions"],
    declared: (can) => can.questions,
    async run(stage) {
      const player = await stage.session({
        onQuestion: ({ questions }) =>
          Object.fromEntries(questions.map(({ id, options }) => [id, options.at(-1)?.label ?? "Blue"])),
      });
      await player.turn(play("question"));
      const [requested] = player.all("question.requested");
      mustBe(requested?.questions.length, 1, "The number of questions");
      must(requested?.questions[0]?.text !== "", "The question has no words.");
    },
  },
  {
    id: "question-unattended",
    title: "goes on when nobody is there to answer its question",
    proves: ["questions"],
    declared: (can) => can.questions,
    async run(stage) {
      await (await stage.session()).turn(play("question"));
    },
  },
  ...(["allow", "deny"] as const).map((reply): ContractScenario => ({
    id: reply === "allow" ? "plan-approved" : "plan-rejected",
    title: `shows its plan before it acts, which a person ${reply === "allow" ? "approves" : "rejects"}`,
    proves: ["planApproval"],
    declared: (can) => can.planApproval,
    async run(stage) {
      const { asked, onPermission } = answering(reply);
      await (await stage.session({ mode: "plan", onPermission })).turn(play("plan"));
      mustBe(
        asked.map(({ tool }) => tool),
        ["plan"],
        "What was asked about",
      );
      const { plan } = Object(asked[0]?.input) as { plan?: unknown };
      must(typeof plan === "string" && plan.trim() !== "", "The plan is not in what was asked.");
    },
  })),
];
