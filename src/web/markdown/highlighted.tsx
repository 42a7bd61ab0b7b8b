import { memo, useMemo } from "react";
import { highlight } from "../../view/highlight/index.ts";
import "./highlighted.css";

/** Code in colours. Each piece is text: nothing in it is read as anything else. */
export const Highlighted = memo(function Highlighted({
  code,
  language,
}: {
  readonly code: string;
  readonly language: string;
}) {
  const tokens = useMemo(() => highlight(code, language), [code, language]);
  return tokens.map(({ kind, text }, index) =>
    kind === undefined ? (
      text
    ) : (
      <span key={index} className={`hl-${kind}`}>
        {text}
      </span>
    ),
  );
});
