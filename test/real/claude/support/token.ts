/** The same environment with a made-up subscription instead of a made-up key: only then does Claude Code tell about a plan's windows. */
export function withToken(env: Readonly<Record<string, string>>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _, ...rest } = env;
  return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "made-up-for-a-scripted-model" };
}
