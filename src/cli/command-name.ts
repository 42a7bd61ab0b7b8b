/** What the person types to run this command: npx finds it in a clone or a project, where a plain `reins` is not on the PATH. */
export function commandName(env: Readonly<Record<string, string | undefined>> = process.env): string {
  return env["npm_command"] === "exec" ? "npx reins" : "reins";
}
