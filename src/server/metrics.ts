/** Counters in the text format of Prometheus. */
export class Metrics {
  readonly #requests = new Map<string, number>();
  requests = 0;
  events = 0;
  cuts = 0;

  request(method: string, status: number): void {
    this.requests++;
    const labels = `method="${method}",status="${status}"`;
    this.#requests.set(labels, (this.#requests.get(labels) ?? 0) + 1);
  }

  text(now: Readonly<Record<"open" | "running" | "waiting" | "readers", number>>): string {
    const gauge = (name: string, help: string, value: number): string =>
      `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name} ${value}\n`;
    const counter = (name: string, help: string, lines: readonly string[]): string =>
      `# HELP ${name} ${help}\n# TYPE ${name} counter\n${lines.map((line) => `${name}${line}\n`).join("")}`;
    return [
      counter(
        "reins_http_requests_total",
        "Requests that were answered.",
        [...this.#requests].map(([labels, count]) => `{${labels}} ${count}`),
      ),
      counter("reins_events_total", "Events of the sessions that this server holds.", [` ${this.events}`]),
      counter("reins_readers_cut_total", "Readers that were disconnected because they were too slow.", [
        ` ${this.cuts}`,
      ]),
      gauge("reins_sessions_open", "Sessions that this server holds.", now.open),
      gauge("reins_sessions_running", "Sessions in which a turn runs.", now.running),
      gauge("reins_requests_waiting", "Permissions and questions that wait for an answer.", now.waiting),
      gauge("reins_readers", "Open streams.", now.readers),
      gauge("process_resident_memory_bytes", "Memory of this process.", process.memoryUsage.rss()),
      gauge("process_uptime_seconds", "Uptime of the server.", Math.round(process.uptime())),
    ].join("");
  }
}
