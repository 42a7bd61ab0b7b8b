import { oneLine } from "../../events/printable.ts";
import type { TextItem } from "../../view/model.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { useOpen } from "./openness.ts";

const previewLength = 160;

export function Thought({ item, path }: { readonly item: TextItem; readonly path: string }) {
  const [open, setOpen] = useOpen(path);
  const { text, streaming } = item;
  // While it grows its end is what is new.
  const preview = oneLine(streaming ? text.slice(-previewLength) : text.slice(0, previewLength * 2));
  return (
    <Disclosure
      className="thought"
      open={open}
      onToggle={setOpen}
      summary={
        <>
          <Icon name="think" size={14} />
          <span className="thought-label">{streaming ? "Thinking" : "Thought"}</span>
          {!open && (
            <span className="thought-preview" dir="auto">
              {preview.slice(0, previewLength)}
            </span>
          )}
        </>
      }
    >
      {() => <Markdown text={text} streaming={streaming} />}
    </Disclosure>
  );
}
