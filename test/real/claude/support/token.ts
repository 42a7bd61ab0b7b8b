/**
 * The same environment with an invented subscription instead of an invented key: only then does Claude Code report a plan's usage windows.
 */
export function withToken(env: Readonly<Record<string, string>>): Record<string, string> {
  const { ANTHROPIC_API_KEY: _, ...rest } = env;
  return { ...rest, CLAUDE_CODE_OAUTH_TOKEN: "made-up-for-a-scripted-model" };
}
