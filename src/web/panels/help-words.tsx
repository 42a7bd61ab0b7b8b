import { CopyButton } from "../ui/copy-button.tsx";

/** What to do next; what stands between backticks is to be typed, and can be copied. */
export function HelpWords({ help }: { readonly help: string }) {
  const [, command] = /`([^`]+)`/.exec(help) ?? [];
  return (
    <div className="help-words">
      <p>{help.split("`").map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</p>
      {command !== undefined && <CopyButton text={() => command} label="Copy the command" />}
    </div>
  );
}
