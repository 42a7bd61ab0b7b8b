import { useState } from "react";
import type { NewToken, Scope, TokenInfo } from "../../server/schemas/settings.ts";
import { moment } from "../format/format.ts";
import { toast, toastError } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { call } from "../state/server.ts";
import { Badge, Button, Field, IconButton, Pending } from "../ui/basics.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { Dialog, FormDialog } from "../ui/dialog.tsx";

/** Access tokens for other clients of this server, each with scopes and an expiry. */
export function Tokens() {
  const { value, error, reload } = useRemote<{ readonly tokens: readonly TokenInfo[] }>("/api/tokens");
  const [making, setMaking] = useState(false);
  const revoke = async ({ id, name }: TokenInfo): Promise<void> => {
    await call("DELETE", `/api/tokens/${encodeURIComponent(id)}`).then(
      () => toast(`Token “${name}” revoked.`, "good"),
      toastError,
    );
    reload();
  };
  return (
    <section aria-label="Tokens" className="cards">
      <div className="setting-row">
        <div>
          <h2>Tokens</h2>
          <p className="quiet-words">For programs and other devices. Each token has only the permissions you choose.</p>
        </div>
        <Button icon="key" onClick={() => setMaking(true)}>
          New token
        </Button>
      </div>
      <Pending value={value} error={error} />
      {value !== undefined && value.tokens.length > 0 && (
        <ul className="rules">
          {value.tokens.map((token) => (
            <li key={token.id} className="rule">
              <div className="rule-words">
                <bdi>{token.name}</bdi>
                <small>
                  Created {moment(token.createdAt)}
                  {token.expiresAt !== undefined && `, expires ${moment(token.expiresAt)}`}
                </small>
              </div>
              {token.scopes.map((scope) => (
                <Badge key={scope} tone={scope === "admin" ? "warn" : "neutral"}>
                  {scope}
                </Badge>
              ))}
              <IconButton
                icon="trash"
                label={`Revoke token ${token.name}`}
                size="small"
                tipAt="below-end"
                onClick={() => void revoke(token)}
              />
            </li>
          ))}
        </ul>
      )}
      {making && (
        <NewTokenDialog
          onClose={() => {
            setMaking(false);
            reload();
          }}
        />
      )}
    </section>
  );
}

const choices: readonly { readonly scope: Scope; readonly words: string }[] = [
  { scope: "read", words: "See sessions, agents and usage" },
  { scope: "prompt", words: "Start sessions and send prompts" },
  { scope: "approve", words: "Answer permissions, and let agents edit without asking" },
  { scope: "admin", words: "Everything, including deleting and creating tokens" },
];

function NewTokenDialog({ onClose }: { readonly onClose: () => void }) {
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
    <FormDialog title="New token" does="Create" ready={ready} work={make} onClose={onClose}>
      <Field label="Name" data-focus required maxLength={100} value={name} onChange={setName} />
      <fieldset className="scope-list">
        <legend>Permissions</legend>
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
      <Field label="Valid for (days)" type="number" min={1} max={3650} required value={days} onChange={setDays} />
    </FormDialog>
  );
}

function MadeToken({ made, onClose }: { readonly made: NewToken; readonly onClose: () => void }) {
  return (
    <Dialog
      title="Token created"
      onClose={onClose}
      actions={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <p>Copy it now: it is not shown again. Anyone with this token has its permissions.</p>
      <div className="command-line">
        <code>{made.token}</code>
        <CopyButton text={() => made.token} label="Copy token" />
      </div>
    </Dialog>
  );
}
