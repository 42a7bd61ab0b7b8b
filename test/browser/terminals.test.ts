/** The terminals that are held on the machine: listed, looked at, ended. */
import { once } from "node:events";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { frame } from "../../src/protocols/pty/frames.ts";
import type { TerminalInfo } from "../../src/server/schemas/terminals.ts";
import { seriousFindings } from "./support/axe.ts";
import { button } from "./support/parts.ts";
import { useScene } from "./support/scene.ts";

const scene = useScene();

/** A program that somebody started, and then detached from. */
async function held(script: string): Promise<TerminalInfo> {
  const { site } = scene;
  const command = ["/bin/sh", "-c", script];
  const made = await site.call<TerminalInfo>("POST", "/api/terminals", { command, cwd: site.folder });
  const viewer = new WebSocket(`${site.url.replace(/^http/, "ws")}/ws/terminals/${made.id}`, {
    headers: { authorization: `Bearer ${site.token}` },
  });
  await once(viewer, "open");
  viewer.send(frame("hello", { columns: 60, rows: 6 }));
  await once(viewer, "message");
  viewer.send(frame("detach"));
  await once(viewer, "close");
  return made;
}

test("a held terminal is listed, opened and ended", async () => {
  const page = await scene.enter();
  await page.goto(`${scene.site.url}/#/settings`);
  const terminals = page.getByRole("region", { name: "Terminals" });
  await terminals.getByText("None is held.").waitFor();
  const { id } = await held("echo from the program; sleep 600");
  await page.reload();
  await terminals.getByText("/bin/sh -c echo from the program; sleep 600").waitFor();
  await button(page, "Open the terminal of sh").click();
  const dialog = page.getByRole("dialog", { name: "Terminal of sh" });
  await dialog.getByText(`reins attach ${id}`).waitFor();
  await dialog.getByRole("region", { name: "Screen" }).getByText("from the program").waitFor();
  expect(await seriousFindings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await button(page, "End sh").click();
  await page.getByRole("dialog", { name: "End sh?" }).getByRole("button", { name: "End it" }).click();
  await terminals.getByText("None is held.").waitFor();
  expect(await scene.site.call("GET", "/api/terminals")).toEqual({ terminals: [] });
});
