import { useMemo } from "react";
import type { EntryChanges } from "../../server/schemas/comparisons.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { LineCounts } from "../panels/changed-files.tsx";
import { Badge } from "../ui/badge.tsx";
import { Disclosure } from "../ui/disclosure.tsx";
import { patchFiles } from "./patch-files.ts";

/** The files that one agent changed, each with its differences. */
export function EntryFiles({ changes, name }: { readonly changes: EntryChanges; readonly name: string }) {
  const { files, patch, cut, trouble } = changes;
  const diffs = useMemo(() => new Map(patchFiles(patch).map(({ path, diff }) => [path, diff])), [patch]);
  return (
    <>
      <h3 className="entry-files">
        {files.length === 0
          ? "Nothing changed"
          : files.length === 1
            ? "1 file changed"
            : `${files.length} files changed`}
        {files.length > 0 && <LineCounts added={sum(files, "added")} removed={sum(files, "removed")} />}
      </h3>
      {trouble !== undefined && <p className="field-error">{trouble}</p>}
      <ul className="changed-files">
        {files.map(({ path, change, added = 0, removed = 0 }) => (
          <li key={path}>
            <Disclosure
              summary={
                <>
                  <bdi className="changed-path">{path}</bdi>
                  {change !== "modified" && <Badge tone={change === "added" ? "good" : "bad"}>{change}</Badge>}
                  <LineCounts added={added} removed={removed} />
                </>
              }
            >
              {() => <DiffView diff={diffs.get(path) ?? ""} file={path} path={`compare:${name}:${path}`} />}
            </Disclosure>
          </li>
        ))}
      </ul>
      {cut && <p className="quiet-words">Not all differences are shown here. The branch has them.</p>}
    </>
  );
}

function sum(files: EntryChanges["files"], which: "added" | "removed"): number {
  return files.reduce((all, file) => all + (file[which] ?? 0), 0);
}
