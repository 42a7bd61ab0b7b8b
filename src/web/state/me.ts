/** Who this page is to the server: nobody, until a token was moved into the cookie. */
import type { MeAnswer } from "../../server/schemas/access.ts";
import { ApiError, call } from "./api.ts";
import { createStore, useStore } from "./store.ts";

export type Me =
  | { readonly state: "asking" }
  | { readonly state: "known"; readonly me: MeAnswer }
  /** No token, or none that counts. */
  | { readonly state: "unknown"; readonly why: string | undefined }
  | { readonly state: "unreachable" };

export const meStore = createStore<Me>({ state: "asking" });

/** Undefined until it is known. */
export function useMe(): MeAnswer | undefined {
  const me = useStore(meStore);
  return me.state === "known" ? me.me : undefined;
}

export async function askMe(): Promise<Me> {
  let me: Me;
  try {
    me = { state: "known", me: await call<MeAnswer>("GET", "/api/me") };
  } catch (thrown) {
    const refused = thrown instanceof ApiError && thrown.status !== 0 && thrown.status < 500;
    me = refused ? { state: "unknown", why: undefined } : { state: "unreachable" };
  }
  // A page that knows who it is stays as it is while the server is away.
  const known = meStore.get().state === "known";
  if (me.state !== "unreachable" || !known) meStore.set(known && me.state === "known" ? meStore.get() : me);
  return me;
}

export async function login(token: string): Promise<void> {
  try {
    await call("POST", "/api/login", { token });
  } catch (thrown) {
    meStore.set({ state: "unknown", why: thrown instanceof ApiError ? thrown.message : undefined });
    return;
  }
  meStore.set({ state: "asking" });
  await askMe();
}

export async function logout(): Promise<void> {
  await call("POST", "/api/logout");
  meStore.set({ state: "unknown", why: undefined });
}

export function may(me: MeAnswer | undefined, scope: MeAnswer["scopes"][number]): boolean {
  return me !== undefined && (me.scopes.includes(scope) || me.scopes.includes("admin"));
}
