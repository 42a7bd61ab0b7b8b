/** `reins/client`: the interface of `reins` over the HTTP API and one WebSocket of a server, for Node and browsers. */
export { createClient } from "./reins.ts";
export type { Client, ClientOptions } from "./reins.ts";
export type { SessionsListener, SocketClass, SocketLike } from "./connection.ts";
export type { AnswerLike, FetchLike } from "./http.ts";
export { isReinsError, ReinsError } from "../events/errors.ts";
