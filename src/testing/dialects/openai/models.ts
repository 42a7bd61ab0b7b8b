import type { Call, Route } from "../dialect.ts";

const model = { id: "scripted", object: "model", created: 1_767_225_600, owned_by: "scripted" };

/** Both wires list the same models at the same address. */
export function modelsRoute({ method, path }: Call): Route | undefined {
  if (method !== "GET") return undefined;
  if (path === "/v1/models") return { kind: "models", reply: () => ({ object: "list", data: [model] }) };
  const id = /^\/v1\/models\/(.+)$/.exec(path)?.[1];
  return id === undefined ? undefined : { kind: "models", reply: () => ({ ...model, id }) };
}
