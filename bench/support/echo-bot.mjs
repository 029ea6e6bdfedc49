// The least a bot can do about a tap: wait for it and answer it. What it takes is Telegram's and the network's share.
import { Api } from "grammy";

const [token, apiRoot] = process.argv.slice(2);
const api = new Api(token, { apiRoot });

for (let offset = 0; ; ) {
  for (const update of await api.getUpdates({ offset, timeout: 30 })) {
    offset = update.update_id + 1;
    if (update.callback_query) await api.answerCallbackQuery(update.callback_query.id, { text: "Allowed" });
  }
}
