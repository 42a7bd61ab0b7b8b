import { useState } from "react";
import type { Tool } from "../../events/tools.ts";
import { modes, type Mode } from "../../events/modes.ts";
import type { PolicyTrialAnswer } from "../../server/schemas/settings.ts";
import { modeLabel } from "../composer/mode-words.ts";
import { call } from "../state/api.ts";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Select } from "../ui/select.tsx";
import { useDoing } from "../ui/use-doing.ts";
import { trialInput } from "./trial-input.ts";

/** Those that rules are about, and whose input is one text. */
const tools = ["shell", "read", "write", "edit", "delete", "web_fetch"] as const satisfies readonly Tool[];
const tones = { allow: "good", deny: "bad", ask: "warn" } as const;
const words = { allow: "It would be allowed", deny: "It would be denied", ask: "You would be asked" } as const;

/** What would be decided, and why. Nothing is done. */
export function RuleTrial({ cwd }: { readonly cwd: string | undefined }) {
  const [tool, setTool] = useState<Tool>("shell");
  const [mode, setMode] = useState<Mode>("ask");
  const [text, setText] = useState("");
  const [trial, setTrial] = useState<PolicyTrialAnswer>();
  const { busy, error, run } = useDoing();
  const { label, input } = trialInput(tool, text);
  const test = (): void =>
    run(async () => {
      setTrial(undefined);
      setTrial(
        await call<PolicyTrialAnswer>("POST", "/api/policy/test", {
          ...(cwd !== undefined && { cwd }),
          tool,
          input,
          mode,
        }),
      );
    });
  return (
    <section aria-label="Try a rule" className="card">
      <h2>What would be decided?</h2>
      <form
        className="trial"
        onSubmit={(event) => {
          event.preventDefault();
          test();
        }}
      >
        <div className="trial-choices">
          <Select
            label="Tool"
            value={tool}
            options={tools.map((value) => ({ value, label: value }))}
            onChange={setTool}
          />
          <Select
            label="Mode"
            value={mode}
            options={modes.map((value) => ({ value, label: modeLabel(value) }))}
            onChange={setMode}
          />
        </div>
        <Field label={label} error={error}>
          {(control) => (
            <input
              {...control}
              type="text"
              value={text}
              required
              maxLength={2000}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" busy={busy} disabled={text.trim() === ""}>
          Try it
        </Button>
      </form>
      <div role="status">
        {trial !== undefined && (
          <p className="trial-answer">
            <Badge tone={tones[trial.decision]}>{trial.decision}</Badge>
            <span>
              {words[trial.decision]}: {trial.why}
            </span>
          </p>
        )}
      </div>
    </section>
  );
}
