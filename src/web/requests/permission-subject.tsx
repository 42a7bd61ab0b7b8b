import { printable } from "../../events/printable.ts";
import { inputParts } from "../../view/input-parts.ts";
import type { PermissionItem } from "../../view/model.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { LongText } from "../conversation/row-parts.tsx";
import { inputText } from "../conversation/tool-row.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Disclosure } from "../ui/basics.tsx";

/** The complete action to approve: the command, the diff, the plan, or the input fields. */
export function PermissionSubject({ item }: { readonly item: PermissionItem }) {
  const { input, diff = "", requestId, title } = item;
  const { subject, rest } = inputParts(item);
  const hasDiff = subject === "diff";
  const more = hasDiff ? (input ?? undefined) : Object.keys(rest).length > 0 ? rest : undefined;
  const others = more !== undefined && (
    <Disclosure className="request-more" summary={hasDiff ? "Full input" : "Other fields of the input"}>
      {() => <LongText text={printable(JSON.stringify(more, undefined, 2))} label="Input" path={`${requestId}:more`} />}
    </Disclosure>
  );
  if (subject === "plan")
    return (
      <div className="request-subject request-plan" tabIndex={0} role="region" aria-label="The plan">
        <Markdown text={(input as { readonly plan: string }).plan} />
        {others}
      </div>
    );
  const given = inputText(input);
  return (
    <div className="request-subject">
      {/* The title of the request ends with the file name already. */}
      {hasDiff && <DiffView diff={diff} path={requestId} file={title} />}
      {given?.kind === "command" && (
        <LongText className="command" text={printable(given.text)} label="Command" path={`${requestId}:in`} />
      )}
      {given?.kind === "fields" && !hasDiff && (
        <LongText text={printable(given.text)} label="Input" path={`${requestId}:in`} />
      )}
      {others}
    </div>
  );
}
