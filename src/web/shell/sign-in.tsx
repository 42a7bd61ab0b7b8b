import { useState } from "react";
import { login } from "../state/me.ts";
import { Button } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Mark } from "./mark.tsx";

export function SignIn({ why }: { readonly why: string | undefined }) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    await login(tokenOf(token)).finally(() => setBusy(false));
  };
  return (
    <main className="sign-in">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void enter();
        }}
      >
        <Mark size={40} />
        <h1>Reins</h1>
        <p>
          Open the address that <code>reins serve</code> printed: it has a token in it. Or paste that address, or the
          token alone, here.
        </p>
        <Field label="Token" error={why}>
          {(control) => (
            <input
              {...control}
              type="password"
              autoComplete="off"
              spellCheck={false}
              value={token}
              onChange={(event) => setToken(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" look="primary" busy={busy} disabled={token.trim() === ""}>
          Enter
        </Button>
      </form>
    </main>
  );
}

/** People paste the whole address. */
function tokenOf(pasted: string): string {
  return /token=([^&\s]+)/.exec(pasted)?.[1] ?? pasted.trim();
}
