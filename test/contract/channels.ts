/** Agents that can be spoken to in several ways are held to the contract in each of them, with what each can do. */
export interface Channel {
  /** Undefined where there is only one. */
  readonly name?: string | undefined;
  /** What makes Reins choose it. */
  readonly env: Readonly<Record<string, string>>;
}

const channel = (name: string, variables: Readonly<Record<string, string>>): Channel => ({ name, env: variables });

const several: Readonly<Record<string, readonly Channel[]>> = {
  cursor: [
    // What its hooks say is not on its wire: this one is not recorded, the next is.
    channel("acp", { REINS_CURSOR_CHANNEL: "acp" }),
    channel("acp-asks", { REINS_CURSOR_CHANNEL: "acp", REINS_CURSOR_HOOKS: "off" }),
    channel("print", { REINS_CURSOR_CHANNEL: "print" }),
  ],
};

export function channelsOf(agent: string): readonly Channel[] {
  return several[agent] ?? [{ env: {} }];
}
