import type { Message } from "grammy/types";
import { chatOf, topicOf } from "../access.ts";
import type { ChatState } from "../chat-state.ts";
import { asDocument, type StoredFile } from "../files.ts";
import { imageSize } from "../image-size.ts";
import { type ReplyMarkup, replyMarkup } from "../keyboard.ts";
import type { Call, MethodTable } from "../method.ts";
import { isRecord } from "../params.ts";
import { badRequest } from "../refusal.ts";
import { replyTo } from "../reply.ts";
import { assertText, captionText, messageText } from "../text-params.ts";
import { botAsUser, post } from "../world.ts";

/** The methods that put something new into a chat. */
export const sending: MethodTable = {
  sendMessage(call) {
    assertText(call.params);
    const to = destination(call);
    const { text, entities } = messageText(call.world, call.params, "message is too long");
    const preview = call.params.json("link_preview_options");
    return send(call, to, {
      text,
      ...(entities.length > 0 && { entities }),
      ...(isRecord(preview) &&
        preview["is_disabled"] === true && { link_preview_options: { is_disabled: true } }),
    });
  },

  sendDocument(call) {
    const to = destination(call);
    const file = fileOf(call, "document");
    return send(call, to, { document: asDocument(file), ...caption(call) }, file);
  },

  sendPhoto(call) {
    const to = destination(call);
    const file = fileOf(call, "photo");
    const size = imageSize(file.content);
    if (size === undefined) throw badRequest("IMAGE_PROCESS_FAILED");
    const { file_id, file_unique_id } = asDocument(file);
    const photo = [{ file_id, file_unique_id, file_size: file.content.length, ...size }];
    return send(call, to, { photo, ...caption(call) }, file);
  },

  sendChatAction({ world, params }) {
    chatOf(world, params);
    if (!ACTIONS.has(params.text("action").toLowerCase()))
      throw badRequest("wrong parameter action in request");
    return true;
  },

  sendMessageDraft({ world, params }) {
    const chat = chatOf(world, params);
    if (chat.kind !== "private") throw badRequest("TEXTDRAFT_PEER_INVALID");
    const id = params.integer("draft_id");
    if (id === 0) throw badRequest("invalid draft_id specified");
    const topic = topicOf(chat, params);
    // No text is fine here: the client then shows that the bot thinks.
    const text = params.has("text") ? messageText(world, params, "message is too long").text : "";
    const draft = { id, topic, text, at: world.now(), canStop: params.flag("can_stop") };
    chat.drafts = [...chat.drafts.filter((other) => other.topic !== topic), draft];
    world.changed();
    return true;
  },
};

type Destination = { chat: ChatState; topic: number; markup: ReplyMarkup | undefined };
type Content = Omit<Message, "message_id" | "date" | "chat">;

function destination({ world, params }: Call): Destination {
  const chat = chatOf(world, params);
  return { markup: replyMarkup(params, chat), chat, topic: topicOf(chat, params) };
}

function send({ world, params }: Call, to: Destination, content: Content, file?: StoredFile): Message {
  const { chat, topic, markup } = to;
  return post(world, {
    chat,
    topic,
    ours: true,
    silent: params.flag("disable_notification"),
    file,
    replyInterface: markup?.kind === "interface" ? markup.markup : undefined,
    content: {
      from: botAsUser(world),
      ...content,
      ...replyTo(chat, params),
      ...(markup?.kind === "inline" && { reply_markup: markup.keyboard }),
      ...(params.flag("protect_content") && { has_protected_content: true }),
    },
  }).shown;
}

function caption({ world, params }: Call): Pick<Message, "caption" | "caption_entities"> {
  const { text, entities } = captionText(world, params);
  if (text === "") return {};
  return { caption: text, ...(entities.length > 0 && { caption_entities: entities }) };
}

/** A file comes with the request, by `attach://` or under the parameter's own name, or was stored before. */
function fileOf({ world, params }: Call, name: "document" | "photo"): StoredFile {
  const value = params.text(name);
  const upload = params.upload(name) ?? params.upload(/^attach:\/\/(.*)$/s.exec(value)?.[1] ?? "");
  if (upload !== undefined) {
    if (upload.content.length === 0) throw badRequest("file must be non-empty");
    return world.files.add(upload, name === "photo" ? "photos" : "documents");
  }
  if (value === "") throw badRequest(`there is no ${name} in the request`);
  if (/^https?:/i.test(value)) throw badRequest("failed to get HTTP URL content");
  const known = world.files.byId(value);
  if (known === undefined) throw badRequest("wrong file identifier/HTTP URL specified");
  return known;
}

const ACTIONS: ReadonlySet<string> = new Set([
  "typing",
  "upload_photo",
  "record_video",
  "upload_video",
  "record_voice",
  "upload_voice",
  "upload_document",
  "choose_sticker",
  "find_location",
  "record_video_note",
  "upload_video_note",
  "cancel",
]);
