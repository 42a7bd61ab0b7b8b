import { expect, test } from "vitest";
import { apiServer } from "../../test/support/api-server.ts";
import { peerOf } from "../../test/support/socket-peer.ts";
import type { ReinsEvent } from "../events/types.ts";

test("exports each figure with its type in the Prometheus format", async () => {
  const server = await apiServer();
  const { id } = await server.session("run true");
  const asked = (event: ReinsEvent): boolean => event.type === "permission.requested";
  const events = await server.until(id, asked);
  await peerOf(server);
  const { body, headers } = await server.call<string>("/metrics");
  expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const figures = new Map<string, number>();
  let kind = "";
  for (const line of body.trimEnd().split("\n")) {
    const type = /^# TYPE (\w+) (?:counter|gauge)$/.exec(line);
    if (type !== null) kind = type[1]!;
    if (line.startsWith("#")) continue;
    const [, name, labels = "", value] = /^(\w+)(\{[^}]*\})? (\d+(?:\.\d+)?)$/.exec(line) ?? [];
    expect([line, name]).toEqual([line, kind]);
    figures.set(name + labels, Number(value));
  }
  expect(figures.get('reins_http_requests_total{method="POST",status="201"}')).toBe(1);
  expect(figures.get("reins_events_total")).toBeGreaterThanOrEqual(events.length);
  expect(figures.get("reins_sessions_open")).toBe(1);
  expect(figures.get("reins_sessions_running")).toBe(1);
  expect(figures.get("reins_requests_waiting")).toBe(1);
  expect(figures.get("reins_readers")).toBeGreaterThanOrEqual(1);
  expect(figures.get("reins_readers_cut_total")).toBe(0);
  expect(figures.get("process_resident_memory_bytes")).toBeGreaterThan(1_000_000);
});
