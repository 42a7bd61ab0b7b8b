/** The account: by a key, by a token, or by a stored `login`. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { textOf } from "../agent-loop/index.ts";
import type { Arguments } from "./arguments.ts";
import { readJson, writeJson } from "./files.ts";
import { complain, Ending } from "./output.ts";
import { configFolder } from "./places.ts";
import type { Traps } from "./traps.ts";

export const email = "person@example.invalid";

export interface Account {
  readonly key: string;
  readonly source: "env" | "flag" | "login";
}

const kept = (): string => join(configFolder(), "auth.json");

export function accountOf(given: Arguments): Account | undefined {
  const flag = given.value("apiKey") ?? given.value("authToken");
  if (flag !== undefined) return { key: flag, source: "flag" };
  const variable = process.env["CURSOR_API_KEY"] || process.env["CURSOR_AUTH_TOKEN"];
  if (variable) return { key: variable, source: "env" };
  const token = textOf(readJson(kept())["accessToken"]);
  return token === "" ? undefined : { key: token, source: "login" };
}

/** Nothing may be printed on stdout before this check. */
export function requireAccount(given: Arguments, traps: Traps): Account {
  const account = accountOf(given);
  if (account === undefined)
    throw new Ending(
      1,
      "Error: Authentication required. Please run 'agent login' first, or set CURSOR_API_KEY environment variable.",
    );
  if (traps.badKey) throw new Ending(1, badKey);
  return account;
}

export const badKey = "\u001b[33m⚠ Warning: The provided API key is invalid.\u001b[39m";

/** The real program opens a browser, or prints an address when it must not. */
export function login(): void {
  if (process.env["NO_OPEN_BROWSER"]) complain("Open this address in a browser to sign in: https://cursor.com/login");
  writeJson(kept(), { accessToken: "made-up-token", refreshToken: "made-up-refresh-token" });
}

export const logout = (): void => rmSync(kept(), { force: true });

export function status(account: Account | undefined): object {
  const base = { status: "unauthenticated", isAuthenticated: false, hasAccessToken: false, hasRefreshToken: false };
  if (account === undefined) return { ...base, message: "Not logged in" };
  const userInfo = { email, userId: 4711, firstName: "Some", createdAt: "2026-01-01T00:00:00.000Z" };
  const refresh = account.source === "login";
  return { status: "authenticated", isAuthenticated: true, hasAccessToken: true, hasRefreshToken: refresh, userInfo };
}
