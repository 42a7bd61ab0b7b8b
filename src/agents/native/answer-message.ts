/** What a model said, as a message of the conversation: what is not to be said to it again is left out. */
import type { AssistantContent, AssistantModelMessage, ContentPart, ProviderMetadata, ToolSet } from "ai";

type Part = Exclude<AssistantContent, string>[number];

/** Undefined when nothing is left. */
export function answerMessage(content: readonly ContentPart<ToolSet>[]): AssistantModelMessage | undefined {
  const parts = content.flatMap((part): readonly Part[] => {
    switch (part.type) {
      case "text":
        if (part.text === "" && part.providerMetadata === undefined) return [];
        return [{ type: "text", text: part.text, ...signed(part) }];
      case "reasoning":
        return [{ type: "reasoning", text: part.text, ...signed(part) }];
      case "custom":
        return [{ type: "custom", kind: part.kind, ...signed(part) }];
      case "file":
      case "reasoning-file":
        return [{ type: part.type, data: part.file.base64, mediaType: part.file.mediaType, ...signed(part) }];
      case "tool-call": {
        const { toolCallId, toolName, invalid, input } = part;
        // No service takes back what is no object.
        const sent: unknown = invalid === true && typeof input !== "object" ? {} : input;
        return [{ type: "tool-call", toolCallId, toolName, input: sent, ...signed(part) }];
      }
      default:
        return [];
    }
  });
  return parts.length === 0 ? undefined : { role: "assistant", content: parts };
}

/** What the service wants to see again with it. */
function signed({ providerMetadata }: { readonly providerMetadata?: ProviderMetadata | undefined }): {
  providerOptions?: ProviderMetadata;
} {
  return providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
}
