/**
 * The channels of an agent: an agent that can be driven in several ways is held to the contract in each, with the capabilities of that
 * channel.
 */
export interface Channel {
  /** Undefined when the agent has only one channel. */
  readonly name?: string | undefined;
  /** Variables that make Reins choose this channel. */
  readonly env: Readonly<Record<string, string>>;
}

const channel = (name: string, variables: Readonly<Record<string, string>>): Channel => ({ name, env: variables });

const several: Readonly<Record<string, readonly Channel[]>> = {
  cursor: [
    // Hook traffic is not on the wire, so this channel is not recorded; the next one is.
    channel("acp", { REINS_CURSOR_CHANNEL: "acp" }),
    channel("acp-asks", { REINS_CURSOR_CHANNEL: "acp", REINS_CURSOR_HOOKS: "off" }),
    channel("print", { REINS_CURSOR_CHANNEL: "print" }),
  ],
};

export function channelsOf(agent: string): readonly Channel[] {
  return several[agent] ?? [{ env: {} }];
}
