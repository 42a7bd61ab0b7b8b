/** A request that `fetch` does not allow: any Host, any Origin, a cookie. */
import { request } from "node:http";
import { connect } from "node:net";

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export function rawRequest(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", body }: { readonly method?: string; readonly body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers, agent: false }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text });
        asked.destroy();
      });
    });
    asked.on("error", reject).end(body);
  });
}

/** Sends these exact bytes and returns everything until the other side closes. */
export function rawBytes(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    socket.setEncoding("utf8").on("data", (part: string) => (text += part));
    socket.on("error", () => undefined).on("close", () => resolve(text));
  });
}
