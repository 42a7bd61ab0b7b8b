import { oneLine, printable } from "../../events/printable.ts";
import * as words from "../../view/labels.ts";
import { itemTone, itemWords } from "../../view/lines.ts";
import type { InputItem, Item, PermissionItem, PlanItem, QuestionItem, TextItem, TurnEntry } from "../../view/model.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Button, classes, Icon, type IconName } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Openable, useOpen } from "./expanded-rows.tsx";
import { Contents, FileChangeView, headOf, Line } from "./row-parts.tsx";
import { ToolRow } from "./tool-row.tsx";

/** A readable file name. Older logs have the random name of the upload on the server's disk. */
export function attachmentName(name: string): string {
  return name.replace(/^upl_[0-9a-f]{24}(?=\.\w+$|$)/, "attachment");
}

/** A prompt may be a whole file; longer prompts are folded. */
const mostLines = 14;

const meanwhile = { steer: "Added while running", queue: "Queued" } as const;

interface PromptProps {
  readonly input: NonNullable<TurnEntry["input"]> | InputItem;
  readonly how?: InputItem["how"];
  readonly path: string;
}

export function Prompt({ input, how, path }: PromptProps) {
  const { text, attachments = [] } = input;
  return (
    <div className="prompt">
      <div className="prompt-bubble">
        <span className="sr-only">You said: </span>
        {how !== undefined && <p className="prompt-how">{meanwhile[how]}</p>}
        {text !== "" && <PromptText text={text} path={path} />}
        {attachments.length > 0 && (
          <ul className="chips" aria-label="Attachments">
            {attachments.map(({ kind, name }, index) => (
              <li key={`${name}:${index}`} className="chip">
                <Icon name={kind === "image" ? "image" : "file"} size={14} />
                <bdi>{oneLine(attachmentName(name))}</bdi>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function PromptText({ text, path }: { readonly text: string; readonly path: string }) {
  const [whole, setWhole] = useOpen(`${path}:whole`);
  const said = printable(text);
  const { head, hidden } = headOf(said, mostLines);
  return (
    <>
      <p className="prompt-text" dir="auto">
        {whole ? said : head}
      </p>
      {hidden > 0 && (
        <Button look="quiet" size="small" onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : "Show all"}
        </Button>
      )}
    </>
  );
}

function Message({ item }: { readonly item: TextItem }) {
  const { text, streaming } = item;
  if (text.trim() === "") return null;
  return (
    <article className={classes("message", streaming && "streaming")}>
      <Markdown text={text} streaming={streaming} />
      {!streaming && (
        <div className="message-tools">
          <CopyButton text={() => item.text} label="Copy message" />
        </div>
      )}
    </article>
  );
}

const previewLength = 160;

function Thought({ item, path }: { readonly item: TextItem; readonly path: string }) {
  const { text, streaming } = item;
  // While the text grows, preview its end.
  const preview = oneLine(streaming ? text.slice(-previewLength) : text.slice(0, previewLength * 2));
  return (
    <Openable
      path={path}
      icon="think"
      className="thought"
      summary={(open) => (
        <>
          <span className="thought-label">{streaming ? "Thinking" : "Thought"}</span>
          {!open && (
            <span className="thought-preview" dir="auto">
              {preview.slice(0, previewLength)}
            </span>
          )}
        </>
      )}
    >
      {() => <Markdown text={text} streaming={streaming} />}
    </Openable>
  );
}

const planStates = { completed: "done", in_progress: "now", pending: "to do" } as const;

function PlanView({ item, path }: { readonly item: PlanItem; readonly path: string }) {
  return (
    <Openable path={path} icon="plan" className="plan" summary={() => <span dir="auto">{words.planWords(item)}</span>}>
      {() => <PlanList entries={item.entries} />}
    </Openable>
  );
}

export function PlanList({ entries }: Pick<PlanItem, "entries">) {
  return (
    <ol className="plan-list">
      {entries.map((entry, index) => (
        <li key={index} className={`plan-${entry.status}`}>
          <span className="plan-mark" role="img" aria-label={planStates[entry.status]}>
            {entry.status === "completed" && <Icon name="check" size={12} />}
          </span>
          <span dir="auto">{oneLine(entry.text)}</span>
        </li>
      ))}
    </ol>
  );
}

/** A request that was answered. A pending one is shown above the composer only. */
function Settled({ item }: { readonly item: PermissionItem | QuestionItem }) {
  // A request that was cancelled with its turn needs no line of its own: the end of the turn says it.
  if (item.resolution === undefined || item.resolution.by === "cancel") return null;
  const [asked, answered] =
    item.kind === "permission"
      ? [oneLine(item.title), words.permissionWords(item.resolution)]
      : [item.questions.map(({ text }) => oneLine(text)).join(" · "), words.questionWords(item.resolution)];
  return (
    <Line icon={item.kind === "permission" ? "shield" : "help"}>
      <bdi>{asked}</bdi> · {answered}
    </Line>
  );
}

const icons = {
  ...{ task: "wait", notice: "info", retry: "refresh", limit: "usage", compacted: "compare" },
  ...{ switched: "handoff", changed: "settings", exit: "plug" },
} as const satisfies Partial<Record<Item["kind"], IconName>>;

/** An item of the conversation. Its expanded state is remembered under `path`. */
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
    default: {
      const tone = itemTone(item);
      const icon = item.kind === "notice" && tone !== undefined ? "warn" : icons[item.kind];
      return (
        <Line icon={icon} tone={tone}>
          {itemWords(item)}
        </Line>
      );
    }
  }
}

const nested = (item: Item, path: string) => <ItemView item={item} path={path} />;
