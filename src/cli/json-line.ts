export { jsonLine } from "../view/json-line.ts";
