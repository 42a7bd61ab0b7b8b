import type { FileChange } from "../../view/model.ts";
import { Disclosure } from "../ui/disclosure.tsx";
import { Icon } from "../ui/icon.tsx";
import { DiffView } from "./diff-view.tsx";
import { Line } from "./line.tsx";
import { useOpen } from "./openness.ts";

interface FileChangeProps {
  readonly change: FileChange;
  readonly path: string;
  readonly summary: string;
  readonly initiallyOpen?: boolean;
}

/** A file that changed, and how. */
export function FileChangeView({ change, path, summary, initiallyOpen = false }: FileChangeProps) {
  const [open, setOpen] = useOpen(path, initiallyOpen);
  const { diff } = change;
  if (diff === undefined || diff === "") return <Line icon="file">{summary}</Line>;
  return (
    <Disclosure
      className="file-change"
      open={open}
      onToggle={setOpen}
      summary={
        <>
          <Icon name="file" size={14} />
          <bdi className="tool-title">{summary}</bdi>
        </>
      }
    >
      {() => <DiffView diff={diff} path={path} file={change.path} />}
    </Disclosure>
  );
}
