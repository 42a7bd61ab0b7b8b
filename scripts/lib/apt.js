import { run } from "./command.js";

/** Installs Debian packages with apt-get and prints why. Returns an error message, or undefined on success. */
export async function aptInstall(packages, why, env = process.env) {
  console.log(`Installing ${packages[0]} with apt-get (only once): ${why}.`);
  const asRoot = process.getuid?.() === 0 ? [] : ["sudo", "-n"];
  for (const words of [
    ["update", "-qq"],
    ["install", "-qq", "-y", "--no-install-recommends", ...packages],
  ]) {
    const [command, ...args] = [...asRoot, "apt-get", ...words];
    const options = { env: { ...env, DEBIAN_FRONTEND: "noninteractive" }, quiet: true };
    const { ok, output } = await run(command, args, options);
    if (!ok) return `${[command, ...args].join(" ")} failed: ${output.slice(-2_000)}`;
  }
  return undefined;
}
