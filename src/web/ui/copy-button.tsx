import { useEffect, useState } from "react";
import { announce, toast } from "../state/messages.ts";
import { IconButton } from "./basics.tsx";

export function CopyButton({ text, label = "Copy" }: { readonly text: () => string; readonly label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 1_500);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text());
      setCopied(true);
      announce("Copied.");
    } catch {
      toast("The browser did not allow copying.", "bad");
    }
  };
  return (
    <IconButton
      icon={copied ? "check" : "copy"}
      label={copied ? "Copied" : label}
      size="small"
      tipAt="below-end"
      onClick={() => void copy()}
    />
  );
}
