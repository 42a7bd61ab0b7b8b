import { renameSync, rmSync, writeFileSync } from "node:fs";
import type * as FileSystem from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { pathPlace } from "../../test/support/path-table.ts";
import { locate, openLocated, workspaceOf } from "./real-paths.ts";

/** `afterOpen` runs between opening a file and checking its path. */
const hooks = vi.hoisted(() => ({ afterOpen: () => {}, closed: 0 }));

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  return {
    ...real,
    open: async (...args: Parameters<typeof real.open>) => {
      const file = await real.open(...args);
      const close = file.close.bind(file);
      file.close = () => close().finally(() => hooks.closed++);
      hooks.afterOpen();
      return file;
    },
  };
});

test.each([
  ["another file with its name", (path: string) => renameSync(`${path}.other`, path)],
  ["no file with its name", (path: string) => rmSync(path)],
])("refuses an opened file when there is %s afterwards", async (_, swap) => {
  const made = pathPlace();
  const workspace = workspaceOf(made, []);
  const path = join(made.cwd, "swapped.txt");
  for (const name of [path, `${path}.other`]) writeFileSync(name, name);
  const { real } = locate(workspace, path);
  hooks.afterOpen = () => swap(path);
  hooks.closed = 0;
  await expect(openLocated(workspace, path, real, "read")).rejects.toMatchObject({
    code: "permission_denied",
    message: `${path} now points to a different place than the one that was allowed.`,
  });
  expect(hooks.closed).toBe(1);
});
