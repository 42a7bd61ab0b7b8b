/** `reins/client`: the same interface over HTTP and one WebSocket, for Node and for browsers. */
export { createClient } from "./reins.ts";
export type { Client, ClientOptions } from "./reins.ts";
export type { SessionsListener, SocketClass, SocketLike } from "./connection.ts";
export type { AnswerLike, FetchLike } from "./http.ts";
export { isReinsError, ReinsError } from "../events/errors.ts";
