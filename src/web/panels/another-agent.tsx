import { CopyButton } from "../ui/copy-button.tsx";

const entry = `{
  "agents": {
    "goose": { "acp": "goose acp" }
  }
}`;

/** A program of the person's own is named where only they write: the page starts none that a page could be made to name. */
export function AnotherAgent() {
  return (
    <section aria-label="Another agent" className="cards">
      <h2>Another agent</h2>
      <article className="card" aria-label="Any program that speaks ACP">
        <p>
          Any program that speaks the Agent Client Protocol (ACP) can be chosen once its command stands in{" "}
          <code>~/.config/reins/config.json</code> and the server was started again.
        </p>
        <div className="help-words">
          <pre tabIndex={0} aria-label="For example">
            {entry}
          </pre>
          <CopyButton text={() => entry} label="Copy the example" />
        </div>
      </article>
    </section>
  );
}
