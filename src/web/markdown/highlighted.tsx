import { memo, useEffect, useMemo } from "react";
import { type Highlighter, type HighlightToken, loadHighlighter } from "../../view/highlight/index.ts";
import { createStore, useStore } from "../state/store.ts";
import "./highlighted.css";

const loaded = createStore<Highlighter | undefined>(undefined);

/** Undefined until the highlighter is loaded, or when loading fails. */
function useHighlighter(): Highlighter | undefined {
  const highlighter = useStore(loaded);
  useEffect(() => {
    if (highlighter === undefined) loadHighlighter().then(loaded.set, () => undefined);
  }, [highlighter]);
  return highlighter;
}

interface HighlightedProps {
  readonly code: string;
  readonly language: string;
}

/** Coloured code. Every token is rendered as text, never as HTML. */
export const Highlighted = memo(function Highlighted({ code, language }: HighlightedProps) {
  return language === "" ? code : <Coloured code={code} language={language} />;
});

function Coloured({ code, language }: HighlightedProps) {
  const highlight = useHighlighter();
  const tokens = useMemo(
    (): readonly HighlightToken[] => highlight?.(code, language) ?? [{ kind: undefined, text: code }],
    [highlight, code, language],
  );
  return tokens.map(({ kind, text }, index) =>
    kind === undefined ? (
      text
    ) : (
      <span key={index} className={`hl-${kind}`}>
        {text}
      </span>
    ),
  );
}
