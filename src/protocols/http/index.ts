/** A driver: a server on HTTP, asked with JSON, that tells what happens in a stream of events. */
export { HttpChannel } from "./event-lines.ts";
