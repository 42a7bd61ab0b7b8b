/** Agents that can be spoken to in several ways are held to the contract in each of them, with what each can do. */
export interface Channel {
  /** Undefined where there is only one. */
  readonly name?: string | undefined;
  /** What makes Reins choose it. */
  readonly env: Readonly<Record<string, string>>;
}

const several: Readonly<Record<string, readonly string[]>> = { cursor: ["acp", "print"] };

export function channelsOf(agent: string): readonly Channel[] {
  const named = several[agent]?.map((name): Channel => ({
    name,
    env: { [`REINS_${agent.toUpperCase()}_CHANNEL`]: name },
  }));
  return named ?? [{ env: {} }];
}
