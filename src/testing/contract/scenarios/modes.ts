/** Modes: what the agent may do without asking. */
import { modes as allModes } from "../../../events/modes.ts";
import { mustBe, mustReject } from "../check.ts";
import { declared, play, scenario, type ContractScenario } from "../types.ts";
import { answering, asks } from "./permissions.ts";

/** A file that an editor runs when the folder is opened. No agent refuses to write it, as some do with files of git. */
const hidden = ".vscode/tasks.json";

/** A command that no agent takes for a read or an edit. */
const link = (name: string) => play("shell", `ln -s nowhere ${name}`);

export const modes: readonly ContractScenario[] = [
  scenario("modes-refused", "refuses modes it does not have", "always", async (stage) => {
    for (const mode of allModes.filter((one) => !stage.can.modes.includes(one)))
      await mustReject(stage.session({ mode }), "unsupported", `Mode ${mode}`);
  }),
  ...(["read", "plan"] as const).map((mode) =>
    declared(`modes.${mode}`, `mode-${mode}`, `changes nothing in mode ${mode}`, async (stage) => {
      const { asked, onPermission } = answering("allow");
      const player = await stage.session({ mode, onPermission });
      await player.turn(play("write", "x.txt"));
      await player.turn(link("y.txt"));
      mustBe(asked, [], "What was asked");
      mustBe((await player.when("session.started")).mode, mode, "The mode it shows");
      stage.mustExist("x.txt", false);
      stage.mustExist("y.txt", false);
    }),
  ),
  declared(
    "modes.edits",
    "mode-edits",
    "edits without asking in mode edits, and asks for everything else",
    async (stage) => {
      const { tools, onPermission } = answering("deny");
      const player = await stage.session({ mode: "edits", onPermission });
      await player.turn(play("write", "x.txt"));
      await player.turn(link("y.txt"));
      mustBe(tools(), asks(stage.can, "execute") ? ["shell"] : [], "What was asked about");
      stage.mustExist("x.txt");
    },
  ),
  scenario(
    "edits-kept",
    "allows ordinary edits itself in mode edits",
    { proves: "keepsEdits", if: (can) => can.modes.includes("edits") && can.keepsEdits === true },
    async (stage) => {
      const player = await stage.session({ mode: "edits" });
      await player.turn(play("write", "x.txt"));
      mustBe(player.all("permission.requested").length, 0, "How often it asked");
    },
  ),
  scenario(
    "edits-hidden",
    "asks in mode edits before it edits a hidden file",
    { proves: "modes.edits", if: (can) => can.modes.includes("edits") && asks(can, "edit") },
    async (stage) => {
      // Some agents create no folder for a new file.
      stage.write(".vscode/settings.json", "{}\n");
      const { tools, onPermission } = answering("deny");
      const player = await stage.session({ mode: "edits", onPermission });
      await player.turn(play("write", hidden));
      mustBe(tools(), ["write"], "What was asked about");
      stage.mustExist(hidden, false);
    },
  ),
  declared("modes.full", "mode-full", "asks nobody in mode full", async (stage) => {
    const { asked, onPermission } = answering("deny");
    const player = await stage.session({ mode: "full", onPermission });
    await player.turn(play("write", "x.txt"));
    await player.turn(play("shell", "echo y > y.txt"));
    mustBe(asked.length, 0, "How often somebody was asked");
    stage.mustExist("x.txt");
    stage.mustExist("y.txt");
  }),
  scenario(
    "mode-change",
    "changes its mode in the middle of a session",
    { proves: "changeMode", if: (can) => can.changeMode && asks(can, "edit") && can.modes.includes("full") },
    async (stage) => {
      const { asked, onPermission } = answering("allow");
      const player = await stage.session({ mode: "ask", onPermission });
      await player.session.configure({ mode: "full" });
      await player.when("session.updated", ({ mode, by }) => mode === "full" && by === "person");
      await player.turn(play("write", "x.txt"));
      mustBe(asked.length, 0, "How often somebody was asked in mode full");
      await player.session.configure({ mode: "ask" });
      await player.turn(play("write", "y.txt"));
      mustBe(asked.length, 1, "How often somebody was asked in mode ask");
    },
  ),
];
