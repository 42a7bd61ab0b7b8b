import { useState } from "react";
import type { TokenInfo } from "../../server/schemas/access.ts";
import { moment } from "../format/when.ts";
import { useRemote } from "../panels/use-remote.ts";
import { call, sentenceOf } from "../state/api.ts";
import { toast, toastError } from "../state/toasts.ts";
import { Badge } from "../ui/badge.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";

/** Others that may use this server: each may only do what its scopes say, and only for a while. */
export function Tokens() {
  const { value, error, reload } = useRemote<{ readonly tokens: readonly TokenInfo[] }>("/api/tokens");
  const [making, setMaking] = useState(false);
  const revoke = async ({ id, name }: TokenInfo): Promise<void> => {
    try {
      await call("DELETE", `/api/tokens/${encodeURIComponent(id)}`);
      toast(`The token “${name}” counts no longer.`, "good");
    } catch (thrown) {
      toastError(thrown);
    }
    reload();
  };
  return (
    <section aria-label="Tokens" className="cards">
      <div className="setting-row">
        <div>
          <h2>Tokens</h2>
          <p className="quiet-words">For a program, or for another device. Each may only do what you let it.</p>
        </div>
        <Button icon="key" onClick={() => setMaking(true)}>
          New token
        </Button>
      </div>
      {error !== undefined && <p role="alert">{sentenceOf(error)}</p>}
      {value !== undefined && value.tokens.length > 0 && (
        <ul className="rules">
          {value.tokens.map((token) => (
            <li key={token.id} className="rule">
              <div className="rule-words">
                <bdi>{token.name}</bdi>
                <small>
                  Made {moment(token.createdAt)}
                  {token.expiresAt !== undefined && `, counts until ${moment(token.expiresAt)}`}
                </small>
              </div>
              {token.scopes.map((scope) => (
                <Badge key={scope} tone={scope === "admin" ? "warn" : "neutral"}>
                  {scope}
                </Badge>
              ))}
              <IconButton
                icon="trash"
                label={`Revoke the token ${token.name}`}
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
