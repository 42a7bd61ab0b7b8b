import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { testFolder } from "../../../test/support/core.ts";
import { uiSettings } from "../../view/ui-settings.ts";
import { loadConfiguration } from "./config.ts";
import { saveUserSetting } from "./save-setting.ts";

function prepare(text?: string) {
  const folder = testFolder();
  const env = { REINS_HOME: join(folder, "reins") };
  const path = join(env.REINS_HOME, "config.json");
  if (text !== undefined) {
    mkdirSync(env.REINS_HOME);
    writeFileSync(path, text, { mode: 0o640 });
  }
  return { folder, env, path, read: () => readFileSync(path, "utf8") };
}

it("creates the file, readable by its owner only", async () => {
  const { folder, env, path, read } = prepare();
  await saveUserSetting(env, "ui.theme", "dark");
  expect(JSON.parse(read())).toEqual({ ui: { theme: "dark" } });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(uiSettings((await loadConfiguration(folder, env)).ui)).toMatchObject({ theme: "dark", leader: "ctrl+x" });
});

it("changes one value and leaves the rest of the file as written", async () => {
  const text = '{\r\n\t// Mine.\r\n\t"mode": "ask", /* so */\r\n\t"ui": { "vi": true, "theme": "light" }\r\n}\r\n';
  const { env, path, read } = prepare(text);
  await saveUserSetting(env, "ui.theme", "contrast");
  expect(read()).toBe(text.replace("light", "contrast"));
  expect(statSync(path).mode & 0o777).toBe(0o640);
  await saveUserSetting(env, "ui.theme", undefined);
  await saveUserSetting(env, "ui.breadcrumb.pollIntervalMs", 60_000);
  expect(read()).toContain("// Mine.");
  expect(read()).toContain('\r\n\t\t"breadcrumb"');
  expect(read()).not.toContain("theme");
});

it("saves concurrent changes one after another", async () => {
  const { env, path, read } = prepare('{ "agent": "demo" }');
  await Promise.all([
    saveUserSetting(env, "ui.screen", "inline"),
    saveUserSetting(env, "ui.vi", true),
    saveUserSetting(env, "ui.breadcrumb.placement", "hidden"),
  ]);
  const ui = { screen: "inline", vi: true, breadcrumb: { placement: "hidden" } };
  expect(JSON.parse(read())).toEqual({ agent: "demo", ui });
  expect(readdirSync(join(path, ".."))).toEqual(["config.json"]);
});

it("writes through a symlink and keeps it", async () => {
  const { folder, env, path } = prepare();
  mkdirSync(env.REINS_HOME);
  const kept = join(folder, "dotfiles.json");
  writeFileSync(kept, "{}");
  symlinkSync(kept, path);
  await saveUserSetting(env, "ui.mouse", false);
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({ ui: { mouse: false } });
});

it.each([
  ['{ "ui": ', "dark", /it is not JSON/],
  ['{ "mood": 1 }', "dark", /there is no key mood/],
  ["{}", "purple", /ui\.theme must be one of auto, dark, light, contrast, terminal/],
  ['{ "ui": 3 }', "dark", /could not be saved/],
  ["[]", "dark", /could not be saved/],
])("leaves %s unchanged when %s cannot be saved", async (text, theme, message) => {
  const { env, path, read } = prepare(text);
  await expect(saveUserSetting(env, "ui.theme", theme)).rejects.toThrow(message);
  expect(read()).toBe(text);
  expect(readdirSync(join(path, ".."))).toEqual(["config.json"]);
});
