import * as words from "../../view/words.ts";
import type { Item } from "../../view/model.ts";
import { Contents } from "./contents.tsx";
import { FileChangeView } from "./file-change.tsx";
import { Line } from "./line.tsx";
import { Message } from "./message.tsx";
import { PlanView } from "./plan-view.tsx";
import { Prompt } from "./prompt.tsx";
import { Settled } from "./settled.tsx";
import { Thought } from "./thought.tsx";
import { ToolRow } from "./tool-row.tsx";

/** One thing that was said, done or noticed. `path` is its own name, under which what is opened is remembered. */
export function ItemView({ item, path }: { readonly item: Item; readonly path: string }) {
  switch (item.kind) {
    case "message":
      return (
        <>
          <Message item={item} />
          <Contents content={item.content} path={path} />
        </>
      );
    case "thought":
      return <Thought item={item} path={path} />;
    case "tool":
      return <ToolRow item={item} path={path} nested={nested} />;
    case "file":
      return <FileChangeView change={item} path={path} summary={words.changeWords(item)} />;
    case "plan":
      return <PlanView item={item} path={path} />;
    case "permission":
    case "question":
      return <Settled item={item} />;
    case "input":
      return <Prompt input={item} how={item.how} path={path} />;
    case "task":
      return (
        <Line icon="wait" tone={item.task.status === "failed" ? "bad" : undefined}>
          {words.taskWords(item.task)}
        </Line>
      );
    case "notice": {
      const tone = item.level === "error" ? "bad" : item.level === "info" ? undefined : "warn";
      return (
        <Line icon={tone === undefined ? "info" : "warn"} tone={tone}>
          {words.noticeWords(item)}
        </Line>
      );
    }
    case "retry":
      return (
        <Line icon="refresh" tone="warn">
          {words.retryWords(item)}
        </Line>
      );
    case "limit":
      return (
        <Line icon="usage" tone={item.status === "ok" ? undefined : "warn"}>
          {words.limitWords(item)}
        </Line>
      );
    case "compacted":
      return <Line icon="compare">{words.compactedWords(item)}</Line>;
    case "switched":
      return <Line icon="handoff">{words.switchedWords(item)}</Line>;
    case "changed":
      return <Line icon="settings">{words.changedWords(item)}</Line>;
    case "exit":
      return <Line icon="plug">{words.exitWords(item)}</Line>;
  }
}

const nested = (item: Item, path: string) => <ItemView item={item} path={path} />;
