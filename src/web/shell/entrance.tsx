/** Shown before sign-in, or while the server does not answer. */
import { useEffect, useState } from "react";
import { askMe, login } from "../state/server.ts";
import { Button, Empty, Field } from "../ui/basics.tsx";
import { Form } from "../ui/form.tsx";
import { Mark } from "./frame.tsx";

export function SignIn({ why }: { readonly why: string | undefined }) {
  const [token, setToken] = useState("");
  const [busy, setBusy] = useState(false);
  const enter = async (): Promise<void> => {
    setBusy(true);
    // People may paste the whole address.
    const pasted = /token=([^&\s]+)/.exec(token)?.[1] ?? token.trim();
    await login(pasted).finally(() => setBusy(false));
  };
  return (
    <main className="sign-in">
      <Form onSubmit={() => void enter()}>
        <Mark size={40} />
        <h1>Reins</h1>
        <p>
          Open the address that <code>reins serve</code> printed, or paste the address or its token here.
        </p>
        <Field
          label="Token"
          error={why}
          type="password"
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={setToken}
        />
        <Button type="submit" look="primary" busy={busy} disabled={token.trim() === ""}>
          Sign in
        </Button>
      </Form>
    </main>
  );
}

export function Unreachable() {
  useEffect(() => {
    const timer = setInterval(() => void askMe(), 2_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <main className="waiting-page">
      <Empty
        icon="plug"
        title="Cannot reach the server"
        actions={
          <Button icon="refresh" onClick={() => void askMe()}>
            Retry
          </Button>
        }
      >
        <p>
          Check that <code>reins serve</code> is running. This page reconnects automatically.
        </p>
      </Empty>
    </main>
  );
}
