/** A driver: a server on HTTP, asked with JSON, that tells what happens in a stream of events. */
export { HttpBeside } from "./beside.ts";
export type { HttpBesideOptions } from "./beside.ts";
export { request } from "./client.ts";
export { httpRefusalOf } from "./errors.ts";
export { openStream } from "./stream.ts";
export type { HttpOptions, ServerEvent } from "./types.ts";
