import { expect, onTestFinished, test, vi } from "vitest";
import { absolutePath, currentFolder } from "./current-folder.ts";

test("reports a removed current folder, which absolute paths do not need", () => {
  const spy = vi.spyOn(process, "cwd").mockImplementation(() => {
    throw Object.assign(new Error("ENOENT: process.cwd failed"), { code: "ENOENT", syscall: "uv_cwd" });
  });
  onTestFinished(() => spy.mockRestore());
  const gone = { code: "invalid_input", message: "The current folder no longer exists." };
  expect(() => currentFolder()).toThrow(expect.objectContaining(gone) as Error);
  expect(() => absolutePath("sub")).toThrow(expect.objectContaining(gone) as Error);
  expect(absolutePath("/a/../b")).toBe("/b");
});
