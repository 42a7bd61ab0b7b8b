/** A path of the API: its schemas, used for validation and for the OpenAPI document, and its handler. */
import type { HttpBindings } from "@hono/node-server";
import { z, type OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { GateRequest } from "./access/gate.ts";
import { requireScope, type Principal } from "./access/principal.ts";
import { HttpError } from "./http-error.ts";
import type { Scope } from "./schemas/settings.ts";
import { errorSchema } from "./schemas/common.ts";

export interface ServerEnv {
  Bindings: Partial<HttpBindings> & { readonly principal?: Principal };
  Variables: { principal: Principal };
}
export type App = OpenAPIHono<ServerEnv>;

type Method = "GET" | "POST" | "PATCH" | "DELETE";
type Shape = z.ZodObject | undefined;
type Value<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

interface Endpoint<Params extends Shape, Query extends Shape, Body extends z.ZodType | undefined> {
  /** The path as OpenAPI writes it: `GET /api/sessions/{id}`. */
  readonly route: `${Method} /${string}`;
  readonly summary: string;
  /** Undefined: no token is needed. */
  readonly scope?: Scope;
  readonly params?: Params;
  readonly query?: Query;
  readonly headers?: z.ZodObject;
  readonly body?: Body;
  /** Maximum size of the body. Default: 32 MB. */
  readonly bodyBytes?: number;
  readonly answer: z.ZodType;
  readonly status?: 200 | 201 | 202;
  /** The media type of a binary body, instead of JSON. */
  readonly takes?: string;
  /** The media type of the answer, instead of JSON. */
  readonly gives?: string;
  readonly run: (asked: Asked<Params, Query, Body>) => Promise<unknown>;
}

interface Asked<Params extends Shape, Query extends Shape, Body extends z.ZodType | undefined> {
  readonly params: Value<Params>;
  readonly query: Value<Query>;
  readonly body: Value<Body>;
  readonly principal: Principal;
  readonly context: Context<ServerEnv>;
}

/** Larger than any prompt with an image or two. */
const usualBytes = 32 * 1024 * 1024;

export function endpoint<
  Params extends Shape = undefined,
  Query extends Shape = undefined,
  Body extends z.ZodType | undefined = undefined,
>(app: App, spec: Endpoint<Params, Query, Body>): void {
  const [method, path] = spec.route.split(" ") as [Method, string];
  document(app, method, path, spec);
  app.on(method, path.replaceAll(/\{(\w+)\}/g, ":$1"), async (context) => {
    const principal = context.get("principal");
    if (spec.scope !== undefined) requireScope(principal, spec.scope);
    const params = checked(spec.params, context.req.param(), "path");
    const query = checked(spec.query, context.req.query(), "query");
    if (spec.headers !== undefined) checked(spec.headers, context.req.header(), "headers");
    const body =
      spec.body === undefined ? undefined : checked(spec.body, await jsonOf(context, spec.bodyBytes), "body");
    const asked = { params, query, body, principal, context } as Asked<Params, Query, Body>;
    const answer = await spec.run(asked);
    return answer instanceof Response ? answer : context.json(answer ?? {}, spec.status ?? 200);
  });
}

function checked<Schema extends z.ZodType | undefined>(schema: Schema, value: unknown, where: string): Value<Schema> {
  if (schema === undefined) return undefined as Value<Schema>;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data as Value<Schema>;
  const { path = [], message = "it is not valid" } = parsed.error.issues[0] ?? {};
  const place = [where, ...path.map(String)].join(".").slice(0, 200);
  throw new HttpError(400, "invalid_input", `The request is invalid: ${place}: ${message.slice(0, 300)}.`, {
    help: "/docs describes what this path accepts.",
  });
}

async function jsonOf(context: Context<ServerEnv>, most = usualBytes): Promise<unknown> {
  const text = new TextDecoder().decode(await bytesOf(context, most));
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new HttpError(400, "invalid_input", "The body is not JSON.");
  }
}

/** Reads at most `most` bytes, whatever Content-Length says. */
export async function bytesOf({ req }: Context<ServerEnv>, most: number): Promise<Uint8Array> {
  if (Number(req.header("content-length") ?? 0) > most) throw tooLarge(most);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of req.raw.body ?? []) {
    size += (chunk as Uint8Array).byteLength;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk as Uint8Array);
  }
  return Buffer.concat(chunks);
}

function tooLarge(most: number): HttpError {
  const megabytes = Math.floor(most / 1024 / 1024);
  const size = megabytes > 0 ? `${megabytes} MB` : `${most / 1024} kB`;
  return new HttpError(413, "invalid_input", `The body is larger than ${size}.`);
}

const bytes = z.string().openapi({ format: "binary" });

type Described = Omit<Endpoint<Shape, Shape, z.ZodType | undefined>, "run">;

function document(app: App, method: Method, path: string, spec: Described): void {
  const { summary, scope, params, query, headers, body, answer, status = 200, takes, gives } = spec;
  app.openAPIRegistry.registerPath({
    method: method.toLowerCase() as Lowercase<typeof method>,
    path,
    summary,
    description: scope === undefined ? "Needs no token." : `Needs a token with the scope \`${scope}\`.`,
    tags: [path.split("/").find((part) => part !== "" && part !== "api") ?? ""],
    security: scope === undefined ? [] : [{ token: [scope] }],
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(headers && { headers }),
      ...(body && { body: { required: true, content: { "application/json": { schema: body } } } }),
      ...(takes !== undefined && { body: { required: true, content: { [takes]: { schema: bytes } } } }),
    },
    responses: {
      [status]: { description: "Done", content: { [gives ?? "application/json"]: { schema: answer } } },
      default: { description: "The error", content: { "application/json": { schema: errorSchema } } },
    },
  });
}

/** The part of a request that the gate checks. */
export function gateRequestOf({ req, env }: Context<ServerEnv>): GateRequest {
  return {
    headers: req.header(),
    address: env.incoming?.socket.remoteAddress ?? "",
    changes: req.method !== "GET" && req.method !== "HEAD",
  };
}
