import { aptInstall } from "./apt.js";
import { run } from "./command.js";

const isThere = async () => (await run("tmux", ["-V"], { quiet: true })).ok;

/** Makes sure that tmux is on the PATH. Installs it with apt-get when it is missing and says so; ends the script when that fails. */
export async function ensureTmux() {
  if (await isThere()) return;
  const problem = await aptInstall(["tmux"], "the terminal interface is also tested in tmux");
  if (problem === undefined && (await isThere())) return;
  console.error(`${problem ?? "apt-get did not install tmux."} Install tmux and try again.`);
  process.exit(1);
}
