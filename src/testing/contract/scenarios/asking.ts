/** The model asks a person: questions and plans. */
import { must, mustBe } from "../check.ts";
import { play, type ContractScenario } from "../types.ts";
import { answering } from "./permissions.ts";

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
