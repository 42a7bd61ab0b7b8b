import { endTerminal, screenOf } from "../../protocols/pty/ask-holder.ts";
import type { ServerContext } from "../context.ts";
import { endpoint, type App } from "../endpoint.ts";
import { HttpError } from "../http-error.ts";
import { nothing } from "../schemas/common.ts";
import * as schemas from "../schemas/terminals.ts";
import { createTerminal, describeTerminal, terminalFor, terminalsFor } from "../terminals.ts";

/** A terminal runs whatever is typed, so every route needs the scope `admin`. `/ws/terminals/{id}` shows a terminal. */
export function terminalRoutes(app: App, server: ServerContext): void {
  endpoint(app, {
    route: "GET /api/terminals",
    summary: "Lists the terminals that are held on this machine.",
    scope: "admin",
    answer: schemas.terminalsAnswer,
    run: async ({ principal }) => {
      const terminals = await terminalsFor(server, principal);
      return { terminals: terminals.map((terminal) => describeTerminal(server, terminal)) };
    },
  });

  endpoint(app, {
    route: "POST /api/terminals",
    summary: "Creates a terminal for an agent's own interface or another program, which starts with the first viewer.",
    scope: "admin",
    body: schemas.terminalBody,
    answer: schemas.terminal,
    status: 201,
    run: async ({ body, principal }) => describeTerminal(server, await createTerminal(server, principal, body)),
  });

  endpoint(app, {
    route: "GET /api/terminals/{id}",
    summary: "Returns one terminal, with the text on its screen.",
    scope: "admin",
    params: schemas.terminalId,
    answer: schemas.terminalScreen,
    run: async ({ params, principal }) => {
      const terminal = await terminalFor(server, principal, params.id);
      const { lines, ...size } = await screenOf(terminal.socket);
      const screen = { ...size, lines: lines.map((line) => server.redact(line)) };
      return { ...describeTerminal(server, terminal), screen };
    },
  });

  endpoint(app, {
    route: "DELETE /api/terminals/{id}",
    summary: "Ends the program and everything it started; its recording stays.",
    scope: "admin",
    params: schemas.terminalId,
    answer: nothing,
    run: async ({ params, principal }) => endTerminal((await terminalFor(server, principal, params.id)).socket),
  });

  endpoint(app, {
    route: "GET /ws/terminals/{id}",
    summary: "The WebSocket that shows a terminal; docs/attach.md lists its frames.",
    params: schemas.terminalId,
    answer: nothing,
    run: async () => {
      throw new HttpError(426, "invalid_input", "This path is for a WebSocket.", {
        help: "Send the header `Upgrade: websocket`.",
      });
    },
  });
}
