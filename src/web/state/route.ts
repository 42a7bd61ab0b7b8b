/** The current route, from the hash of the address: `#/s/<id>`, `#/new?cwd=...`, `#/usage`. */
import { useMemo, useSyncExternalStore } from "react";

interface Route {
  /** `["s", "ses_1"]`; empty for the start screen. */
  readonly parts: readonly string[];
  readonly query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const parts = path.split("/").filter((part) => part !== "");
  return { parts: parts.map(decoded), query: new URLSearchParams(query) };
}

/** `to` begins with a slash: `navigate("/s/ses_1")`. */
export function navigate(to: string, { replace = false } = {}): void {
  if (replace) {
    history.replaceState(null, "", `#${to}`);
    window.dispatchEvent(new HashChangeEvent("hashchange"));
  } else location.hash = to;
}

/** `at`: sequence number of the event to show. */
export function sessionPath(id: string, at?: number): string {
  return `/s/${encodeURIComponent(id)}${at === undefined ? "" : `?at=${at}`}`;
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash);
  return useMemo(() => parseRoute(hash), [hash]);
}

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The token that `reins serve` prints in the hash of its address, and the hash without it. */
export function tokenInAddress(hash: string): { readonly token: string; readonly rest: string } | undefined {
  const found = /^#(?:(.*)&)?token=([^&]+)(?:&(.*))?$/.exec(hash);
  if (found === null) return undefined;
  const [, before = "", token = "", after = ""] = found;
  const rest = [before, after].filter((part) => part !== "").join("&");
  return { token: decodeURIComponent(token), rest: rest === "" ? "" : `#${rest}` };
}
