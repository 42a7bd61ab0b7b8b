/** What must still happen when this process ends by itself: synchronously, and even without a guardian. */

const hooks = new Set<() => void>();

function onExit(): void {
  for (const hook of hooks) hook();
}

/** Returns what takes the hook back. One listener for all, however many Reins there are in one process. */
export function beforeExit(hook: () => void): () => void {
  if (hooks.size === 0) process.on("exit", onExit);
  hooks.add(hook);
  return () => {
    hooks.delete(hook);
    if (hooks.size === 0) process.off("exit", onExit);
  };
}
