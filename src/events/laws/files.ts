import type { EventOf } from "../types.ts";
import type { CreateLaw } from "./law.ts";

/**
 * Law 9: `file.changed` belongs to a turn and comes after the change: never while its call waits for a permission,
 * before a permission is requested, or after a denial. A move has `oldPath`. `filesChanged` is exactly the reported
 * paths.
 * Events cannot show whether every change was found.
 */
export const files: CreateLaw = (report) => {
  let paths: Set<string> | undefined;
  const changed = new Set<string>();
  const waiting = new Map<string, string>();
  const denied = new Set<string>();
  const started = new Set<string>();

  const change = (event: EventOf<"file.changed">): void => {
    if (paths === undefined) report(event.seq, `${event.path} changed outside of a turn`);
    paths?.add(event.path);
    if ((event.op === "move") !== (event.oldPath !== undefined))
      report(event.seq, `oldPath does not go with ${event.op}`);
    if (event.callId === undefined) return;
    if (!started.has(event.callId))
      report(event.seq, `${event.path} was changed by ${event.callId}, which never started`);
    if ([...waiting.values()].includes(event.callId)) report(event.seq, `${event.path} has only been proposed`);
    if (denied.has(event.callId)) report(event.seq, `${event.path} was changed by a call that was denied`);
    changed.add(event.callId);
  };

  const proposed = (seq: number, callId: string): void => {
    if (changed.has(callId)) report(seq, `call ${callId} reported changes before it was allowed`);
  };

  return {
    push(event) {
      switch (event.type) {
        case "turn.started":
          paths = new Set();
          return;
        case "tool.started":
          started.add(event.callId);
          return;
        case "file.changed":
          return change(event);
        case "permission.requested":
          waiting.set(event.requestId, event.callId);
          return proposed(event.seq, event.callId);
        case "permission.resolved":
          waiting.delete(event.requestId);
          return;
        case "tool.failed":
          if (event.reason !== "denied") return;
          denied.add(event.callId);
          return proposed(event.seq, event.callId);
        case "turn.completed": {
          const expected = paths ?? new Set();
          const told = new Set(event.filesChanged).size === event.filesChanged.length ? event.filesChanged : [];
          if (told.length !== expected.size || told.some((path) => !expected.has(path))) {
            report(event.seq, "filesChanged differs from the paths of file.changed");
          }
          paths = undefined;
          return;
        }
        default:
      }
    },
  };
};
