import { printable } from "../../events/printable.ts";
import type { PermissionItem } from "../../view/model.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { LongText } from "../conversation/long-text.tsx";
import { inputText } from "../conversation/tool-words.ts";
import { Markdown } from "../markdown/markdown.tsx";

/** What would be done: the command, the change, the plan, or the fields as they are. */
export function PermissionSubject({ item }: { readonly item: PermissionItem }) {
  const { tool, input, diff, requestId, title } = item;
  const { plan } = (input ?? {}) as { readonly plan?: unknown };
  if (tool === "plan" && typeof plan === "string")
    return (
      <div className="request-subject request-plan" tabIndex={0} role="region" aria-label="The plan">
        <Markdown text={plan} />
      </div>
    );
  const given = inputText(input);
  return (
    <div className="request-subject">
      {/* Its title ends with the name of the file. */}
      {diff !== undefined && diff !== "" && <DiffView diff={diff} path={requestId} file={title} />}
      {given?.kind === "command" && (
        <LongText className="command" text={printable(given.text)} label="Command" path={`${requestId}:in`} />
      )}
      {given?.kind === "fields" && (diff === undefined || diff === "") && (
        <LongText text={printable(given.text)} label="Input" path={`${requestId}:in`} />
      )}
    </div>
  );
}
