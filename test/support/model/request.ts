import { z } from "zod";

const block = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  tool_use_id: z.string().optional(),
  is_error: z.boolean().optional(),
  content: z.unknown().optional(),
});
const message = z.looseObject({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(block)]),
});
const body = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  system: z.union([z.string(), z.array(block)]).optional(),
  messages: z.array(message),
  tools: z.array(z.looseObject({ name: z.string() })).optional(),
  metadata: z.looseObject({ user_id: z.string().optional() }).optional(),
});

export type Message = z.infer<typeof message>;

/** One request as the model saw it. `sideJob`: a title or the like, which brings no tools. */
export type Conversation = {
  sessionId: string;
  model: string;
  stream: boolean;
  system: string;
  messages: Message[];
  tools: string[];
  sideJob: boolean;
};

export type ToolResult = { toolUseId: string; text: string; failed: boolean };

/** Reads the body of a `POST /v1/messages`. */
export function readConversation(json: string): Conversation {
  const request = body.parse(JSON.parse(json));
  const tools = (request.tools ?? []).map((tool) => tool.name);
  return {
    sessionId: UUID.exec(request.metadata?.user_id?.split("session").at(-1) ?? "")?.[0] ?? "",
    model: request.model,
    stream: request.stream ?? false,
    system: textOf(request.system),
    messages: request.messages,
    tools,
    sideJob: tools.length === 0,
  };
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/;

/** The texts of a message, without what its tools gave back. */
export function textsOf({ content }: Message): string[] {
  if (typeof content === "string") return [content];
  return content.flatMap((one) => (one.type === "text" && one.text !== undefined ? [one.text] : []));
}

/** What people and the CLI wrote to the model in this conversation, tool results left out. */
export function userTextsOf(conversation: Conversation): string[] {
  return conversation.messages.filter((one) => one.role === "user").flatMap(textsOf);
}

/** Every tool result the model was told in this conversation, oldest first. */
export function toolResultsOf(conversation: Conversation): ToolResult[] {
  return conversation.messages.flatMap(({ content }) =>
    typeof content === "string"
      ? []
      : content
          .filter((one) => one.type === "tool_result")
          .map((one) => ({
            toolUseId: one.tool_use_id ?? "",
            text: textOf(one.content),
            failed: one.is_error ?? false,
          })),
  );
}

/** The plan file's path as the CLI told it to the model, if it did. */
export function planFileOf(conversation: Conversation): string | undefined {
  const told = [conversation.system, ...conversation.messages.map((one) => textOf(one.content))].join("\n");
  return [...told.matchAll(/\/[^\s"'`<>()]*\/\.claude\/plans\/[\w.-]+\.md/g)].at(-1)?.[0];
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const blocks = z.array(block).safeParse(content);
  if (!blocks.success) return "";
  return blocks.data
    .map((one) => one.text ?? textOf(one.content))
    .filter((text) => text !== "")
    .join("\n");
}
