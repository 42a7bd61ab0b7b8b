/** Notifications that are known and mean nothing to a reader. Everything else unknown is told. */

/** These it is asked not to send at all: they come with every turn or request. */
export const unwanted: readonly string[] = [
  "remoteControl/status/changed",
  "rawResponse/completed",
  "thread/goal/cleared",
  "thread/readState/changed",
  "thread/status/changed",
  "turn/diff/updated",
];

const ignored: ReadonlySet<string> = new Set([
  ...unwanted,
  // Of our own making.
  "thread/started",
  "thread/settings/updated",
  "thread/closed",
  "serverRequest/resolved",
  // The items themselves tell it.
  "item/reasoning/summaryPartAdded",
  "item/fileChange/outputDelta",
  "item/fileChange/patchUpdated",
  "item/commandExecution/terminalInteraction",
  "item/plan/delta",
  "thread/compacted",
  "item/autoApprovalReview/started",
  "item/autoApprovalReview/completed",
  // A hook that stops a tool shows as that tool's failure.
  "hook/started",
  "hook/completed",
  // For its own screen.
  "account/updated",
  "app/list/updated",
  "deprecationNotice",
  "fs/changed",
  "mcpServer/oauthLogin/completed",
  "model/safetyBuffering/updated",
  "model/verification",
  "skills/changed",
  "thread/archived",
  "thread/attachment/updated",
  "thread/environment/connected",
  "thread/environment/disconnected",
  "thread/goal/updated",
  "thread/prediction/updated",
  "thread/queue/changed",
  "turn/moderationMetadata",
]);

export function isIgnored(method: string): boolean {
  return ignored.has(method);
}

/** Items that are no tool call, no text and no news: the echo of a prompt, marks of its own. */
export const ignoredItems: ReadonlySet<string> = new Set([
  "userMessage",
  "hookPrompt",
  "functionCallOutput",
  "enteredReviewMode",
  "exitedReviewMode",
]);
