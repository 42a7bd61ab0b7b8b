import { CopyButton } from "../ui/copy-button.tsx";
import { Highlighted } from "./highlighted.tsx";

interface CodeBlockProps {
  readonly text: string;
  readonly language: string;
  /** Its end has not come yet. */
  readonly open: boolean;
}

/** So much is coloured again with each piece that comes. */
const longestOpen = 20_000;

export function CodeBlock({ text, language, open }: CodeBlockProps) {
  const coloured = open && text.length > longestOpen ? "" : language;
  return (
    <figure className="code-block">
      <figcaption>
        <span>{language === "" ? "text" : language}</span>
        <CopyButton text={() => text} label="Copy the code" />
      </figcaption>
      <pre dir="ltr" tabIndex={0} role="group" aria-label={language === "" ? "Code" : `Code, ${language}`}>
        <code>
          <Highlighted code={text} language={coloured} />
        </code>
      </pre>
    </figure>
  );
}
