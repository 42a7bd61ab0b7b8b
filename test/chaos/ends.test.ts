/** Other ways to end in the middle of a turn, with children that refuse to end. */
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { shellScript, until } from "../support/processes.ts";
import { Stage } from "./scene.ts";

const ending = fileURLToPath(new URL("./ending.ts", import.meta.url));

let stage: Stage;
beforeAll(() => {
  stage = new Stage();
});
afterAll(() => stage[Symbol.dispose]());

describe.runIf(process.platform === "linux").concurrent("no process is left of a Reins", () => {
  test.each(["SIGTERM", "SIGHUP", "SIGQUIT"] as const)("that dies of %s", async (name) => {
    const scene = stage.script(ending, stage.stubborn, "wait");
    await scene.said("ready");
    scene.kill(name);
    expect(await scene.over()).toMatchObject({ signal: name });
  });

  test.each([
    ["that calls process.exit", "exit", 7],
    ["that throws an uncaught error", "throw", 1],
  ])("%s", async (_name, how, code) => {
    const scene = stage.script(ending, stage.stubborn, how);
    expect(await scene.over()).toMatchObject({ code });
    expect(scene.lines).toContain("ready");
  });

  test.each(["exit", "throw"])("without a guardian that ends by %s, within its process group", async (how) => {
    const group = shellScript(stage.folder, `group-${how}`, "trap '' TERM; sleep 60 & echo ready; sleep 60; sleep 60");
    const scene = stage.script(ending, group, how, "alone");
    await scene.said("ready");
    // The ledger stays for the next start of Reins.
    await scene.exited;
    await until(() => scene.processes().length === 0, "no process is left");
  });

  test.each([
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const)("command that receives %s", async (name, code) => {
    const scene = stage.command(`run ${stage.stubborn}`);
    await scene.said("ready");
    scene.kill(name);
    expect(await scene.over()).toMatchObject({ code });
    expect(scene.lines.at(-1)).toContain('"outcome":"cancelled"');
    expect(scene.stderr).not.toContain("reins:");
  });

  test("command whose parent, an older Node, was killed with SIGKILL", async () => {
    const scene = stage.commandAgain(`run ${stage.stubborn}`);
    await scene.said("ready");
    scene.process.disconnect();
    expect(await scene.over()).toMatchObject({ signal: "SIGKILL" });
  });
});
