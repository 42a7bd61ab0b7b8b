/** The server of this page: API calls, the connection, and the signed-in identity. A cookie authenticates the page. */
import { Connection } from "../../client/connection.ts";
import { AnswerError, Http, type Call } from "../../client/http.ts";
import { isReinsError } from "../../events/errors.ts";
import type { MeAnswer } from "../../server/schemas/settings.ts";
import { createStore, useStore } from "./store.ts";

/** Undefined location: unit tests have none. */
const url = globalThis.location?.origin ?? "";
const http = new Http({ url, patienceMs: 0, fetch: (...args) => fetch(...args) });

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

export function call<Answer = unknown>(
  method: Method,
  path: string,
  body: unknown = method === "POST" ? {} : undefined,
  options: Pick<Call, "key" | "signal"> = {},
): Promise<Answer> {
  return http.request(method, path, { ...options, body });
}

export function upload<Answer>(file: Blob, name: string): Promise<Answer> {
  const type = file.type === "" || file.type === "text/plain" ? "application/octet-stream" : file.type;
  const send = (to: string) => fetch(to, { method: "POST", headers: { "content-type": type }, body: file });
  const query = { name: name.slice(0, 200) || "file" };
  return new Http({ url, patienceMs: 0, fetch: send }).request("POST", "/api/uploads", { query });
}

export const sessionApi = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

/** The message in one sentence, followed by the next step if it is known. */
export function sentenceOf(thrown: unknown): string {
  // Backticks mark commands in help texts; a page would show them literally.
  if (isReinsError(thrown)) return [thrown.message, thrown.help?.replaceAll("`", "")].filter(Boolean).join(" ");
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** HTTP status of the server's answer; undefined when there was none. */
export function statusOf(thrown: unknown): number | undefined {
  return thrown instanceof AnswerError ? thrown.status : undefined;
}

/** Retries forever: the page waits for its server. */
export const connection = new Connection({
  url,
  WebSocket: globalThis.WebSocket,
  patienceMs: Number.POSITIVE_INFINITY,
  longestPauseMs: 8_000,
  mayRetry: async () => (await askMe()).state !== "unknown",
});

export const connectionStore = createStore<"connecting" | "connected" | "lost">("connecting");

/** Stays connected while somebody is signed in. Reconnects at once when the network is back or the page becomes visible. */
export function keepConnected(): () => void {
  const leaving = new AbortController();
  const { signal } = leaving;
  window.addEventListener("online", () => connection.hurry(), { signal });
  const looked = (): void => {
    if (document.visibilityState === "visible") connection.hurry();
  };
  document.addEventListener("visibilitychange", looked, { signal });
  const stop = connection.watchAll({
    onConnected: () => connectionStore.set("connected"),
    onLost: (error) => {
      connectionStore.set("lost");
      if (error !== undefined) void askMe();
    },
  });
  return () => {
    leaving.abort();
    stop();
    connection.close();
    connectionStore.set("connecting");
  };
}

export type Me =
  | { readonly state: "asking" }
  | { readonly state: "known"; readonly me: MeAnswer }
  /** No token, or an invalid one. */
  | { readonly state: "unknown"; readonly why: string | undefined }
  | { readonly state: "unreachable" };

export const meStore = createStore<Me>({ state: "asking" });

export function useMe(): MeAnswer | undefined {
  const me = useStore(meStore);
  return me.state === "known" ? me.me : undefined;
}

export async function askMe(): Promise<Me> {
  let me: Me;
  try {
    me = { state: "known", me: await call<MeAnswer>("GET", "/api/me") };
  } catch (thrown) {
    const refused = (statusOf(thrown) ?? 500) < 500;
    me = refused ? { state: "unknown", why: undefined } : { state: "unreachable" };
  }
  // A signed-in page stays as it is while the server is away.
  const known = meStore.get().state === "known";
  if (me.state !== "unreachable" || !known) meStore.set(known && me.state === "known" ? meStore.get() : me);
  return me;
}

export async function login(token: string): Promise<void> {
  try {
    await call("POST", "/api/login", { token });
  } catch (thrown) {
    meStore.set({ state: "unknown", why: isReinsError(thrown) ? thrown.message : undefined });
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
