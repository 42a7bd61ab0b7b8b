import { aptInstall } from "./apt.js";
import { run } from "./command.js";

const isThere = async () => (await run("tmux", ["-V"], { quiet: true })).ok;

/** tmux on the PATH. Where it is missing it is installed with apt-get, and this is said; else this script ends. */
export async function ensureTmux() {
  if (await isThere()) return;
  const problem = await aptInstall(["tmux"], "the terminal interface is tried inside it too");
  if (problem === undefined && (await isThere())) return;
  console.error(`${problem ?? "apt-get brought no tmux."} Install tmux.`);
  process.exit(1);
}
