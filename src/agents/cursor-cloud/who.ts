/** Who this agent is, in states and in messages. */
export const who = { id: "cursor-cloud", name: "Cursor Cloud" } as const;
