import { useState } from "react";
import type { NewToken, Scope } from "../../server/schemas/access.ts";
import { call } from "../state/api.ts";
import { Button } from "../ui/button.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";

const choices: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: "read", words: "See sessions, agents and usage" },
  { scope: "prompt", words: "Begin sessions and write prompts" },
  { scope: "approve", words: "Answer permissions, and let agents edit without asking" },
  { scope: "admin", words: "Everything, also deleting and making tokens" },
];

export function NewTokenDialog({ onClose }: { readonly onClose: () => void }) {
  const [name, setName] = useState("");
  const [days, setDays] = useState("30");
  const [scopes, setScopes] = useState<ReadonlySet<Scope>>(new Set(["read"]));
  const [made, setMade] = useState<NewToken>();
  if (made !== undefined) return <MadeToken made={made} onClose={onClose} />;
  const make = async (): Promise<void> => {
    const body = { name: name.trim(), scopes: [...scopes], days: Number(days) };
    setMade(await call<NewToken>("POST", "/api/tokens", body));
  };
  const ready = name.trim() !== "" && scopes.size > 0;
  return (
    <FormDialog title="New token" does="Make it" ready={ready} work={make} onClose={onClose}>
      <Field label="What it is for">
        {(control) => (
          <input
            {...control}
            type="text"
            data-focus
            required
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        )}
      </Field>
      <fieldset className="scope-list">
        <legend>What it may do</legend>
        {choices.map(({ scope, words }) => (
          <label key={scope}>
            <input
              type="checkbox"
              checked={scopes.has(scope)}
              onChange={(event) => {
                const next = new Set(scopes);
                if (event.target.checked) next.add(scope);
                else next.delete(scope);
                setScopes(next);
              }}
            />
            {scope}
            <small>{words}</small>
          </label>
        ))}
      </fieldset>
      <Field label="For how many days">
        {(control) => (
          <input
            {...control}
            type="number"
            min={1}
            max={3650}
            required
            value={days}
            onChange={(event) => setDays(event.target.value)}
          />
        )}
      </Field>
    </FormDialog>
  );
}

function MadeToken({ made, onClose }: { readonly made: NewToken; readonly onClose: () => void }) {
  return (
    <Dialog
      title="The token is made"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          I have it
        </Button>
      }
    >
      <p>Copy it now: it is not shown again. Whoever has it may do what it allows.</p>
      <div className="command-line">
        <code>{made.token}</code>
        <CopyButton text={() => made.token} label="Copy the token" />
      </div>
    </Dialog>
  );
}
