import { asFile } from "../files.ts";
import type { MethodTable } from "../method.ts";
import { badRequest, Refusal, tooManyRequests } from "../refusal.ts";

/** Files, and leaving a Bot API server. */
export const session: MethodTable = {
  getFile({ world, params }) {
    const id = params.text("file_id");
    if (id === "") throw badRequest("file_id not specified");
    if (!/^[\w-]{10,}$/.test(id)) throw badRequest("invalid file_id");
    const file = world.files.byId(id);
    if (file === undefined) throw badRequest("wrong file_id or the file is temporarily unavailable");
    if (file.content.length > 20 * 1024 * 1024) throw badRequest("file is too big");
    return asFile(file);
  },

  logOut({ world }) {
    world.session.loggedOut = true;
    world.updates.clear();
    world.longPoll.end(new Refusal(400, "Logged out"));
    return true;
  },

  close({ world }) {
    // Telegram refuses in the first ten minutes, so that bots do not close in a loop.
    const wait = world.session.startedAt + 600_000 - world.now();
    if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));
    world.session.closed = true;
    world.longPoll.end(badRequest("the bot has already been closed"));
    return true;
  },
};
