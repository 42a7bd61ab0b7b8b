import { Markdown } from "../markdown/markdown.tsx";
import type { TextItem } from "../../view/model.ts";
import { classes } from "../ui/classes.ts";
import { CopyButton } from "../ui/copy-button.tsx";

export function Message({ item }: { readonly item: TextItem }) {
  const { text, streaming } = item;
  if (text.trim() === "") return null;
  return (
    <article className={classes("message", streaming && "streaming")}>
      <Markdown text={text} streaming={streaming} />
      {!streaming && (
        <div className="message-tools">
          <CopyButton text={() => item.text} label="Copy the message" />
        </div>
      )}
    </article>
  );
}
