/** The token that `reins serve` prints behind the hash of its address, and the address without it. */
export function tokenInAddress(hash: string): { readonly token: string; readonly rest: string } | undefined {
  const found = /^#(?:(.*)&)?token=([^&]+)(?:&(.*))?$/.exec(hash);
  if (found === null) return undefined;
  const [, before = "", token = "", after = ""] = found;
  const rest = [before, after].filter((part) => part !== "").join("&");
  return { token: decodeURIComponent(token), rest: rest === "" ? "" : `#${rest}` };
}
