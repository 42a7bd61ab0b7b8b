/** The formats `text` and `json`: nothing is printed before the end. */
import { complain } from "../output.ts";
import type { Channel, UseOutcome, Use } from "../channel.ts";

const skipped = "Questions skipped by the user, continue with the information you already have";
const done = (text: string): Promise<UseOutcome> => Promise.resolve({ kind: "done", result: { ok: true, text } });

export const silentChannel = (force: boolean, endpoint: string): Channel => ({
  thought: () => undefined,
  thoughtEnded: () => undefined,
  text: () => undefined,
  textEnded: () => undefined,
  started: () => undefined,
  running: () => undefined,
  finished: () => undefined,
  approves: (_use: Use) => Promise.resolve(force),
  question: () => done(skipped),
  plan: () => done("The plan was accepted."),
  retrying: (attempt) => complain(`Connection lost, reconnecting to ${endpoint} (attempt ${attempt})...`),
  notified: () => undefined,
});
