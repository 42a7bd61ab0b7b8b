/** Events that are known and say nothing to Reins. */
const types: ReadonlySet<string> = new Set([
  "server.connected",
  "server.heartbeat",
  "server.instance.disposed",
  "global.disposed",
  "plugin.added",
  "catalog.updated",
  "reference.updated",
  "integration.updated",
  "integration.connection.updated",
  "models-dev.refreshed",
  "installation.updated",
  "installation.update-available",
  "session.deleted",
  "session.diff",
  "message.removed",
  "message.part.removed",
  // A tool that changed the file tells more.
  "file.edited",
  "file.watcher.updated",
  "lsp.updated",
  "lsp.client.diagnostics",
  "mcp.tools.changed",
  "mcp.browser.open.failed",
  "command.executed",
  "project.updated",
  "project.directories.updated",
  "vcs.branch.updated",
  "workspace.ready",
  "workspace.failed",
  "workspace.status",
  "worktree.ready",
  "worktree.failed",
  "pty.created",
  "pty.updated",
  "pty.exited",
  "pty.deleted",
  // What it says again of what we answered.
  "question.replied",
  "question.rejected",
]);

/** The next generation of its events goes beside the ones that are read here, behind a prefix or a version of their own. */
const families = /^(session\.next\.|tui\.|permission\.v2\.|question\.v2\.)/;

export const isIgnored = (type: string): boolean => types.has(type) || families.test(type);
