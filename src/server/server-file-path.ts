import { join } from "node:path";
import { stateHome } from "../process/home.ts";

/** By itself, because every command looks whether it is there, and few find it. */
export function serverFilePath(env: Readonly<Record<string, string | undefined>>): string {
  return join(stateHome(env), "server.json");
}
