/** A prompt to two agents, each in its own work tree, and accepting one result. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { bothHands } from "./support/hands.ts";
import { button } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene({ files: { "door.txt": "red\n" } });

describe.each(bothHands)("with %s", (name, handsOf) => {
  test("runs two demo agents side by side and applies the change of one", async () => {
    const colour = name === "a mouse" ? "blue" : "green";
    const before = readFileSync(join(scene.site.folder, "door.txt"), "utf8").trim();
    // Agents start from the last commit, and a change is applied only to a folder without other changes.
    scene.site.commit();
    const page = await scene.enter();
    const hands = handsOf(page);
    await page.goto(`${scene.site.url}/#/compare`);
    const form = page.getByRole("form", { name: "New comparison" });
    await hands.choose(form.getByRole("group", { name: "Agent 1" }).getByRole("button", { name: /^Agent: / }), /^Demo/);
    await hands.choose(form.getByRole("group", { name: "Agent 2" }).getByRole("button", { name: /^Agent: / }), /^Demo/);
    await hands.choose(form.getByRole("button", { name: /^Mode: / }), /^Accept edits/);
    await hands.write(
      form.getByRole("textbox", { name: "What should the agents do?" }),
      `edit door.txt ${before} -> ${colour}`,
    );
    await hands.press(form.getByRole("button", { name: "Compare" }));
    const second = page.getByRole("article", { name: "2. Demo" });
    await second.getByText("1 file changed").waitFor();
    await page.getByRole("article", { name: "1. Demo" }).getByText("1 file changed").waitFor();
    expect(readFileSync(join(scene.site.folder, "door.txt"), "utf8").trim()).toBe(before);
    await hands.press(second.getByRole("button", { name: /^door\.txt/ }));
    await second.getByRole("region", { name: "Diff" }).getByText(colour).waitFor();
    await hands.press(second.getByRole("button", { name: "Apply to my folder" }));
    await second.getByText("Applied to your folder.").waitFor();
    expect(readFileSync(join(scene.site.folder, "door.txt"), "utf8").trim()).toBe(colour);
    await hands.press(button(page, "Remove"));
    await hands.press(page.getByRole("dialog").getByRole("button", { name: /^Remove/ }));
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await form.waitFor();
  });
});
