/** The table of paths in mode `edits` on real programs whose calls Reins judges: one session, one prompt per row. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scenarioPrompt, type Scenario } from "../../src/testing/index.ts";
import { pathPlace, pathTable } from "../support/path-table.ts";
import { realAgent } from "./support/real-agent.ts";

const field = { pi: "path", opencode: "filePath" } as const;

/** Leaves out paths that programs refuse before anyone is asked. */
const sayable = pathTable.filter(({ path }) => path !== "" && !path.includes("\0"));

describe.each(Object.entries(field))("%s", (id, name) => {
  test("writes ordinary files without asking, and others only with a person's approval", async () => {
    const asSaid: Scenario = {
      name: "write-as-said",
      steps: [[{ callNative: { name: "write", input: { [name]: "{arg}", content: "after" } } }], [{ say: "Done." }]],
    };
    const real = await realAgent(id, { scenarios: [asSaid] });
    const place = pathPlace();
    const { cwd, directories } = place;
    // OpenCode reads this file at its start.
    writeFileSync(join(cwd, "opencode.json"), "{}");
    let asked = false;
    const onPermission = (): "deny" => {
      asked = true;
      return "deny";
    };
    const session = await real.session({ cwd, directories: [...directories], mode: "edits", onPermission });
    const wrong: string[] = [];
    for (const row of sayable) {
      const before = place.files();
      asked = false;
      await real.turn(session, scenarioPrompt("write-as-said", place.pathOf(row)));
      const after = place.files();
      const changed = Object.keys(after).filter((file) => after[file] !== before[file]);
      if (row.where !== "ordinary" && (changed.length > 0 || !asked))
        wrong.push(`${row.name}: wrote ${changed.join()}, asked ${asked}`);
      if (row.where === "ordinary" && asked) wrong.push(`${row.name}: asked`);
    }
    expect(wrong).toEqual([]);
  });
});
