/** The OpenAPI document as one HTML page, without scripts and external resources. */
import { escapeHtml as safe } from "../view/export-html.ts";

type Content = Readonly<Record<string, { readonly schema?: unknown }>>;

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: unknown;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

export interface Described {
  readonly info: { readonly title: string; readonly version: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, unknown>> };
}

export function referencePage({ info, paths = {}, components = {} }: Described): string {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => section(path, method, operation)),
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>The API of ${safe(info.title)}</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><main><h1>The API of ${safe(info.title)} ${safe(info.version)}</h1>
<p>As a document for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
${operations.join("\n")}
<h2>What is sent and given</h2>
${Object.entries(components.schemas ?? {})
  .map(([name, schema]) => `<details id="${safe(name)}"><summary>${safe(name)}</summary>${code(schema)}</details>`)
  .join("\n")}
</main></body></html>
`;
}

function section(path: string, method: string, operation: Operation): string {
  const { summary = "", description = "", parameters = [], requestBody, responses } = operation;
  const rows = parameters.map(
    (one) =>
      `<tr><td><code>${safe(one.name)}</code></td><td>${safe(one.in)}${one.required === true ? ", required" : ""}</td><td>${safe(one.description ?? "")}</td></tr>`,
  );
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const [status = "", answer] = Object.entries(responses)[0] ?? [];
  const given = Object.values(answer?.content ?? {})[0]?.schema;
  return `<section><h3><span>${safe(method.toUpperCase())}</span> <code>${safe(path)}</code></h3><p>${safe(summary)} ${safe(description)}</p>
${rows.length === 0 ? "" : `<table>${rows.join("")}</table>`}
${body === undefined ? "" : `<details><summary>Body</summary>${code(body)}</details>`}
<details><summary>Answer, ${safe(status)}</summary>${code(given)}</details></section>`;
}

function code(value: unknown): string {
  return `<pre>${safe(JSON.stringify(value, undefined, 2) ?? "")}</pre>`;
}

export const referenceStyle = `:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
main { max-width: 56rem; margin: 2rem auto; padding: 0 1rem }
h3 { margin: 2rem 0 0.25rem; font-weight: 500 } h3 span { font-size: 0.8em; font-weight: 700 }
pre { overflow: auto; padding: 0.75rem; border-radius: 6px; background: color-mix(in srgb, currentColor 7%, transparent); font-size: 13px }
td { padding: 0.1rem 1rem 0.1rem 0; vertical-align: top } summary { cursor: pointer }
`;
