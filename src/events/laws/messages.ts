import type { EventOf } from "../types.ts";
import type { CreateLaw } from "./law.ts";

type Delta = EventOf<"message.delta" | "thought.delta">;
type Completed = EventOf<"message.completed" | "thought.completed">;

interface Streaming {
  readonly author: string;
  readonly parts: string[];
}

/** Messages and thoughts, of the agent and of each subagent, count as separate runs. */
const authorOf = (event: Delta | Completed): string => `${event.type.split(".")[0]} of ${event.parent ?? "the agent"}`;

/**
 * Law 4: the deltas of a `messageId` are one continuous run by one author, add up to the completed text, and end
 * once, before the turn ends. Nothing streams after the end. Streamed text is not repeated as a whole. The `text` of
 * a turn is its last message without a parent.
 * Events cannot show whether a message echoes the prompt.
 */
export const messages: CreateLaw = (report, options) => {
  const streaming = new Map<string, Streaming>();
  const ended = new Set<string>();
  const runs = new Map<string, string>();
  const justSaid = new Map<string, string>();
  let last = "";

  const delta = (event: Delta): void => {
    const author = authorOf(event);
    if (ended.has(event.messageId)) return report(event.seq, `${event.messageId} streams after its end`);
    const open = streaming.get(event.messageId);
    if (open === undefined) {
      streaming.set(event.messageId, { author, parts: [event.text] });
      runs.set(author, event.messageId);
      return;
    }
    if (open.author !== author) report(event.seq, `${event.messageId} is ${open.author} and ${author}`);
    else if (runs.get(author) !== event.messageId) report(event.seq, `${event.messageId} is not one run of text`);
    open.parts.push(event.text);
  };

  const completed = (event: Completed): void => {
    const author = authorOf(event);
    if (ended.has(event.messageId)) return report(event.seq, `${event.messageId} ended twice`);
    const open = streaming.get(event.messageId);
    end(event.messageId);
    if (event.type === "message.completed" && event.parent === undefined) last = event.text;
    if (open === undefined) {
      if (event.text !== "" && justSaid.get(author) === event.text)
        report(event.seq, `${event.messageId} repeats the previous text`);
      return;
    }
    if (open.author !== author) report(event.seq, `${event.messageId} is ${open.author} and ${author}`);
    if (open.parts.join("") !== event.text) report(event.seq, `the pieces of ${event.messageId} do not add up to it`);
    justSaid.set(author, event.text);
  };

  const end = (messageId: string): void => {
    streaming.delete(messageId);
    ended.add(messageId);
  };

  return {
    push(event) {
      switch (event.type) {
        case "message.delta":
        case "thought.delta":
          return delta(event);
        case "message.completed":
        case "thought.completed":
          return completed(event);
        case "message.discarded":
          if (!streaming.has(event.messageId))
            report(event.seq, `${event.messageId} was discarded but is not streaming`);
          return end(event.messageId);
        case "tool.started":
        case "input.added":
          return justSaid.clear();
        case "turn.started":
          justSaid.clear();
          last = "";
          return;
        case "turn.completed":
          for (const messageId of streaming.keys()) report(event.seq, `${messageId} did not end before its turn`);
          for (const messageId of streaming.keys()) end(messageId);
          if (event.text !== last) report(event.seq, "the text of the turn is not its last message");
          return;
        default:
      }
    },
    end(seq) {
      if (options.open === true) return;
      for (const messageId of streaming.keys()) report(seq, `${messageId} never ended`);
    },
  };
};
