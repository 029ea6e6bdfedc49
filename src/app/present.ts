import type { CardId, ThreadId } from "../core/ids.ts";
import type { Lane } from "../core/lane.ts";
import type { RequestView, View } from "../core/view.ts";
import type { Store } from "../store/store.ts";
import type { Outgoing, OutgoingDocument } from "../telegram/outgoing.ts";
import { renderView } from "../telegram/render/card.ts";
import { requestFile } from "../telegram/render/cards/request.ts";
import { shortId } from "./new-id.ts";

const UNMASKED = "🔓 The request with nothing hidden. Delete this message when you have read it.";

export type Presenter = ReturnType<typeof createPresenter>;

/** Turns views into rows of the outbox. It sends nothing itself, so it is safe inside any transaction. */
export function createPresenter(deps: {
  store: Pick<Store, "outbox" | "cards">;
  clock: () => number;
  /** Takes known secrets out of words that come from outside, as the last lines of an error log. */
  redact: (text: string) => string;
  wakeOutbox: () => void;
}) {
  const { store, clock, redact, wakeOutbox } = deps;
  const draw = (view: View) =>
    renderView(
      view.kind === "notice" && view.code !== undefined ? { ...view, code: redact(view.code) } : view,
    );

  return {
    /** Shows a view as one card; what does not fit goes in front of it, or behind it as a file. */
    show(threadId: ThreadId, view: View, how: { lane: Lane; replyTo?: number }): CardId {
      const { messages, file: whole } = draw(view);
      // The whole of a request or a question is behind its button: it must not push the card out of sight.
      const file = view.kind === "request" || view.kind === "question" ? undefined : whole;
      const cardId = shortId<CardId>();
      const batch = messages.length > 1 || file !== undefined ? cardId : undefined;
      const now = clock();
      store.cards.create({ id: cardId, threadId }, now);
      messages.forEach((message, index) => {
        const isCard = index === messages.length - 1;
        const payload: Outgoing =
          index === 0 && how.replyTo !== undefined ? { ...message, replyTo: how.replyTo } : message;
        store.outbox.send(
          {
            threadId,
            lane: how.lane,
            payload: JSON.stringify(payload),
            ...(isCard ? { cardId } : {}),
            ...(batch === undefined ? {} : { batch }),
          },
          now,
        );
      });
      if (file !== undefined) {
        store.outbox.document(
          {
            threadId,
            lane: how.lane,
            payload: JSON.stringify(file),
            ...(batch === undefined ? {} : { batch }),
          },
          now,
        );
      }
      wakeOutbox();
      return cardId;
    },

    /** Brings a card up to date. Only its own message changes: the parts in front of it stay as they are. */
    refresh(cardId: CardId, view: View, lane: Lane): void {
      const card = draw(view).messages.at(-1);
      if (card === undefined) return;
      store.outbox.edit({ cardId, lane, payload: JSON.stringify(card) }, clock());
      wakeOutbox();
    },

    /** For a card whose thing is over: nobody needs to be shown what they never saw. */
    close(cardId: CardId, view: View, lane: Lane): void {
      if (!store.outbox.takeBack(cardId, clock())) this.refresh(cardId, view, lane);
    },

    /** Sends all of what a card shows in part; false when the card shows it all. */
    sendWhole(threadId: ThreadId, view: View): boolean {
      const { file } = draw(view);
      if (file === undefined) return false;
      store.outbox.document({ threadId, lane: "request", payload: JSON.stringify(file) }, clock());
      wakeOutbox();
      return true;
    },

    /** Sends a request as a file, all of it and with nothing hidden. */
    sendUnmasked(threadId: ThreadId, view: RequestView): void {
      const file: OutgoingDocument = { ...requestFile(view), caption: { text: UNMASKED, entities: [] } };
      store.outbox.document({ threadId, lane: "request", payload: JSON.stringify(file) }, clock());
      wakeOutbox();
    },

    /** Words as they are, past everything that could fail: the last resort for an answer. */
    plain(threadId: ThreadId, words: string): void {
      const text = words.trim() === "" ? "Claude has finished." : words.slice(0, 4_000);
      store.outbox.send(
        { threadId, lane: "answer", payload: JSON.stringify({ text, entities: [] }) },
        clock(),
      );
      wakeOutbox();
    },

    /** The quietest way to say "seen": a reaction on the person's own message. */
    react(threadId: ThreadId, messageId: number, emoji: string): void {
      store.outbox.react(
        { threadId, lane: "answer", payload: JSON.stringify({ messageId, emoji }) },
        clock(),
      );
      wakeOutbox();
    },
  };
}
