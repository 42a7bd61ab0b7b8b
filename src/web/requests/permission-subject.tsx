import { printable } from "../../events/printable.ts";
import type { PermissionItem } from "../../view/model.ts";
import { DiffView } from "../conversation/diff-view.tsx";
import { LongText } from "../conversation/row-parts.tsx";
import { inputText } from "../conversation/tool-row.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { Disclosure } from "../ui/basics.tsx";

/** The fields beside the command: a timeout, a folder, a description. */
export function besideCommand(input: unknown): unknown {
  const { command: _command, ...rest } = input as Readonly<Record<string, unknown>>;
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** What is asked for, whole: the command, the change, the plan, or the fields as they are. */
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
  const hasDiff = diff !== undefined && diff !== "";
  const rest = given?.kind === "command" ? besideCommand(input) : undefined;
  const more = rest ?? (hasDiff && given?.kind === "fields" ? input : undefined);
  return (
    <div className="request-subject">
      {/* Its title ends with the name of the file. */}
      {hasDiff && <DiffView diff={diff} path={requestId} file={title} />}
      {given?.kind === "command" && (
        <LongText className="command" text={printable(given.text)} label="Command" path={`${requestId}:in`} />
      )}
      {given?.kind === "fields" && !hasDiff && (
        <LongText text={printable(given.text)} label="Input" path={`${requestId}:in`} />
      )}
      {more !== undefined && (
        <Disclosure className="request-more" summary={hasDiff ? "Whole input" : "Other fields of the input"}>
          {() => (
            <LongText text={printable(JSON.stringify(more, undefined, 2))} label="Input" path={`${requestId}:more`} />
          )}
        </Disclosure>
      )}
    </div>
  );
}
