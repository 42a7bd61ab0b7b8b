import { oneLine } from "../../events/printable.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { Badge, type Tone } from "../ui/badge.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import type { ChangedFile } from "./session-facts.ts";

const ops = {
  create: { label: "new", tone: "good" },
  modify: { label: "changed", tone: "neutral" },
  delete: { label: "deleted", tone: "bad" },
  move: { label: "moved", tone: "neutral" },
} as const satisfies Record<ChangedFile["op"], { label: string; tone: Tone }>;

interface ChangedFilesProps {
  readonly files: readonly ChangedFile[];
  readonly cwd: string | undefined;
}

export function ChangedFiles({ files, cwd }: ChangedFilesProps) {
  return (
    <ul className="changed-files">
      {files.map((file) => (
        <li key={file.path}>
          <Disclosure summary={<Summary file={file} cwd={cwd} />}>{() => <Differences file={file} />}</Disclosure>
        </li>
      ))}
    </ul>
  );
}

function Summary({ file, cwd }: { readonly file: ChangedFile; readonly cwd: string | undefined }) {
  const { path, op, added, removed } = file;
  const inside = cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  return (
    <>
      <bdi className="changed-path" title={path}>
        {oneLine(inside)}
      </bdi>
      {op !== "modify" && <Badge tone={ops[op].tone}>{ops[op].label}</Badge>}
      <LineCounts added={added} removed={removed} />
    </>
  );
}

export function LineCounts({ added, removed }: { readonly added: number; readonly removed: number }) {
  return (
    <span className="line-counts">
      <span className="plus">
        +{added}
        <span className="sr-only"> lines added</span>
      </span>
      <span className="minus">
        −{removed}
        <span className="sr-only"> lines removed</span>
      </span>
    </span>
  );
}

function Differences({ file }: { readonly file: ChangedFile }) {
  const told = file.changes.filter(({ diff }) => diff !== undefined && diff !== "");
  if (told.length === 0) return <p className="quiet-words">The agent did not say what is different.</p>;
  return told.map(({ diff = "" }, index) => (
    <DiffView key={index} narrow diff={diff} file={file.path} path={`panel:${file.path}:${index}`} />
  ));
}
