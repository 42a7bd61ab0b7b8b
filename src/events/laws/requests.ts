import type { EventOf } from "../types.ts";
import type { CreateLaw } from "./law.ts";

type Requested = EventOf<"permission.requested" | "question.requested">;
type Resolved = EventOf<"permission.resolved" | "question.resolved">;

/**
 * Law 3: every permission and question is resolved once, before its turn ends. A chosen option was offered and fits
 * the outcome. Only questions that were asked are answered.
 * Events cannot show whether the agent received a second answer.
 */
export const requests: CreateLaw = (report, options) => {
  const known = new Set<string>();
  const open = new Map<string, Requested>();

  const resolved = (event: Resolved): void => {
    const request = open.get(event.requestId);
    open.delete(event.requestId);
    if (request === undefined) return report(event.seq, `request ${event.requestId} is not open and was resolved`);
    if (event.type === "permission.resolved" && request.type === "permission.requested") {
      if (event.optionId === undefined) return;
      const option = request.options.find(({ id }) => id === event.optionId);
      if (option === undefined) return report(event.seq, `option ${event.optionId} was not offered`);
      const means = option.kind.startsWith("allow") ? "allowed" : "denied";
      if (means !== event.outcome)
        report(event.seq, `option ${option.id} is ${option.kind}, but it was ${event.outcome}`);
    } else if (event.type === "question.resolved" && request.type === "question.requested") {
      const asked = new Set(request.questions.map(({ id }) => id));
      for (const id of Object.keys(event.answers ?? {})) {
        if (!asked.has(id)) report(event.seq, `question ${id} was answered and not asked`);
      }
    } else {
      report(event.seq, `${event.type} resolved a ${request.type}`);
    }
  };

  return {
    push(event) {
      switch (event.type) {
        case "permission.requested":
        case "question.requested":
          if (known.has(event.requestId)) report(event.seq, `request ${event.requestId} was made twice`);
          known.add(event.requestId);
          open.set(event.requestId, event);
          return;
        case "permission.resolved":
        case "question.resolved":
          return resolved(event);
        case "turn.completed":
          for (const requestId of open.keys())
            report(event.seq, `request ${requestId} was not resolved before its turn ended`);
          open.clear();
          return;
        default:
      }
    },
    end(seq) {
      if (options.open === true) return;
      for (const requestId of open.keys()) report(seq, `request ${requestId} was never resolved`);
    },
  };
};
